import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';

interface PageHeaderProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly above?: ReactNode;
  readonly children?: ReactNode;
}

/** The head of each page: what it is, and its main action on the right. */
export function PageHeader({ title, text, above, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · Leadgate`;
  }, [title]);
  return (
    <Stack gap={4} mb="lg">
      {above}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} maw={680}>
          <Title order={1} size="h2" className="wrap">
            {title}
          </Title>
          {text && (
            <Text c="dimmed" size="sm" component="div">
              {text}
            </Text>
          )}
        </Stack>
        {children && <Group gap="xs">{children}</Group>}
      </Group>
    </Stack>
  );
}
