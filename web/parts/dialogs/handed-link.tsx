import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from '../copy.tsx';
import { Icon } from '../icons.tsx';

interface HandedLinkProps {
  readonly made: {
    readonly link: string | null;
    readonly mail: string;
    readonly notice?: string | undefined;
  };
  /** Who it is for. */
  readonly email: string;
  /** What to do with the link, if it is shown. */
  readonly children: ReactNode;
  /** Creates another link and sends it. */
  readonly again: { readonly isPending: boolean; readonly error: Error | null; mutate(): void };
  readonly onDone: () => void;
}

/** A link that one person created for another: sent by email, or shown here once to be passed on. */
export function HandedLink({ made, email, children, again, onDone }: HandedLinkProps) {
  if (made.link === null)
    return (
      <Stack gap="sm">
        {made.mail === 'sent' ? (
          <Alert color="teal" icon={<Icon name="check" />} role="status" title="Email sent">
            The link is on its way to <b className="wrap">{email}</b>. Only they can see it.
          </Alert>
        ) : (
          <Alert color="red" icon={<Icon name="alert" />} role="alert" title="Email not sent">
            {made.notice}
          </Alert>
        )}
        {again.error && (
          <Alert color="red" role="alert">
            {again.error.message}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          {made.mail !== 'sent' && (
            <Button variant="default" loading={again.isPending} onClick={() => again.mutate()}>
              Send again
            </Button>
          )}
          <Button onClick={onDone}>Done</Button>
        </Group>
      </Stack>
    );
  return (
    <Stack gap="sm">
      <Text size="sm" className="wrap" component="div">
        {children}
      </Text>
      <pre className="code wrap">{made.link}</pre>
      <Group justify="space-between">
        <CopyText value={made.link}>Copy link</CopyText>
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
