import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { encryptToken, linkWithKey } from '../../../src/contract/tokens/handover-cipher.ts';
import { api } from '../../api/client.ts';
import { CopyText } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icons.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** Creates a link that shows the new token once. It is encrypted here, and the key is only in the link. */
export function CreateHandOverLink({ tokenId, token }: { tokenId: string; token: string }) {
  const workspaceId = useWorkspaceId();
  const create = useMutation({
    mutationFn: async () => {
      const { ciphertext, key } = await encryptToken(token);
      const { link } = await api('POST', '/workspaces/:workspace_id/tokens/:token_id/handover-links', {
        params: { workspace_id: workspaceId, token_id: tokenId },
        body: { ciphertext },
      });
      return linkWithKey(link, key);
    },
  });
  if (create.data !== undefined)
    return (
      <Stack gap="xs" role="status">
        <Text size="sm">
          Pass this link on. It shows the token once, to the first person who opens it, and works for 72
          hours.
        </Text>
        <pre className="code wrap">{create.data}</pre>
        <Group>
          <CopyText value={create.data}>Copy link</CopyText>
        </Group>
      </Stack>
    );
  return (
    <Stack gap="xs">
      {create.error && (
        <Alert color="red" role="alert" icon={<Icon name="alert" />}>
          {create.error.message}
        </Alert>
      )}
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="send" size={14} />}
          loading={create.isPending}
          // Browsers encrypt only on pages that nobody can change on the way.
          disabled={!window.isSecureContext}
          onClick={() => create.mutate()}
        >
          Create hand-over link
        </Button>
        <Text size="xs" c="dimmed">
          {window.isSecureContext
            ? 'For someone else: shows the token once, so that it need not be in a chat.'
            : 'Open Leadgate over HTTPS to create hand-over links.'}
        </Text>
      </Group>
    </Stack>
  );
}
