import { Modal, SegmentedControl, Stack, Text } from '@mantine/core';
import type { Token } from '../../../src/contract/tokens.ts';
import { api } from '../../api/client.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { ago } from '../../parts/text/relative-time.ts';
import { exactTime } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ShownToken } from './shown-token.tsx';

const graces = [
  { value: '0', label: 'None' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
];

/** `token` is null while nothing is being rotated; the closed dialog keeps the last choice. */
export function RotateToken({ token, onClose }: { token: Token | null; onClose: () => void }) {
  const workspaceId = useWorkspaceId();
  const form = useApiForm({
    initialValues: { grace_seconds: '86400' },
    send: ({ grace_seconds }) =>
      api('POST', '/workspaces/:workspace_id/tokens/:token_id/rotation', {
        params: { workspace_id: workspaceId, token_id: token?.id ?? '' },
        body: { grace_seconds: Number(grace_seconds) },
      }),
  });
  const close = () => {
    onClose();
    form.mutation.reset();
  };
  const rotated = form.mutation.data;
  const { grace_seconds: grace } = form.values;
  if (rotated) {
    const ends = grace === '0' ? 'no longer works' : `works until ${endOf(token, Number(grace))}`;
    return (
      <ShownToken
        opened={token !== null}
        title={`New token for ${rotated.name}`}
        created={rotated}
        onClose={close}
      >
        The old token {ends}. Replace it with the new one:
      </ShownToken>
    );
  }
  return (
    <Modal opened={token !== null} onClose={close} title={<Text fw={620}>Rotate {token?.name}</Text>}>
      <DialogForm form={form} submitLabel="Rotate token" onCancel={close}>
        <Text size="sm">A new token with the same name and form replaces it. {lastUse(token)}</Text>
        <Stack gap={4}>
          <Text size="sm" fw={500} id="grace-label">
            Keep the old token valid for
          </Text>
          <SegmentedControl
            aria-labelledby="grace-label"
            data-autofocus
            data={graces}
            {...form.getInputProps('grace_seconds', { withError: false })}
          />
          <Text size="xs" c="dimmed">
            {grace === '0'
              ? 'Requests with the old token are rejected immediately. Choose this after a leak.'
              : 'Senders keep working while you move them to the new token. You can end the old one sooner.'}
          </Text>
        </Stack>
      </DialogForm>
    </Modal>
  );
}

function lastUse(token: Token | null): string {
  if (token === null || token.last_used_at === null) return 'The old one has never been used.';
  return `The old one was last used ${ago(token.last_used_at, Date.now())}.`;
}

/** A grace period never outlasts the old token's own expiry. */
function endOf(token: Token | null, graceSeconds: number): string {
  const own = token?.expires_at ? Date.parse(token.expires_at) : Number.POSITIVE_INFINITY;
  return exactTime(Math.min(Date.now() + graceSeconds * 1000, own));
}
