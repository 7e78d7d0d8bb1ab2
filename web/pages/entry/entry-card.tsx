import { Box, Center, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Logo } from '../../parts/logo.tsx';
import { ConnectionBar } from '../../shell/connection-bar.tsx';
import { useGuardedLinks } from '../../shell/guarded-links.ts';

/** The frame of pages that need no session. */
export function EntryCard({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Leadgate`;
  }, [title]);
  useGuardedLinks();
  return (
    <main>
      <ConnectionBar />
      <Center mih="100dvh" p="md">
        <Stack gap="lg" w="100%" maw={400}>
          <Group gap="xs" justify="center">
            <Logo size={30} />
            <Text fw={680} size="lg">
              Leadgate
            </Text>
          </Group>
          <Box className="panel" p={{ base: 'lg', xs: 'xl' }}>
            <Title order={1} size="h3" ta="center">
              {title}
            </Title>
            <Text c="dimmed" size="sm" ta="center" mb="lg">
              {text}
            </Text>
            {children}
          </Box>
        </Stack>
      </Center>
    </main>
  );
}

/** The token of a link is in its fragment, which browsers never send: no log and no proxy sees it. */
export function tokenInAddress(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
}
