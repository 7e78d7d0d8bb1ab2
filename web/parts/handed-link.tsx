import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from './copy.tsx';

/** A link that one person passes on to another. It is shown only now. */
export function HandedLink(props: { link: string; children: ReactNode; onDone: () => void }) {
  const { link, children, onDone } = props;
  return (
    <Stack gap="sm">
      <Text size="sm" className="wrap" component="div">
        {children}
      </Text>
      <pre className="code wrap">{link}</pre>
      <Group justify="space-between">
        <CopyText value={link}>Copy link</CopyText>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
