import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Token } from '../../../src/contract/tokens.ts';
import { api } from '../../api/client.ts';
import { tokensQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { ago } from '../../parts/text/relative-time.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { tokenQuery } from './token-query.ts';

const dayMs = 86_400_000;

/** Ends a token permanently; for a rotated token, this ends its grace period. */
export function RevokeToken({ token }: { token: Token }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const detail = useQuery({ ...tokenQuery(workspaceId, token.id), enabled: isAsking });
  const revoke = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/tokens/:token_id', {
        params: { workspace_id: workspaceId, token_id: token.id },
      }),
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey: tokensQuery(workspaceId).queryKey });
    },
  });
  const isReplaced = token.replaced_by !== null;
  const wasUsedToday = token.last_used_at !== null && Date.now() - Date.parse(token.last_used_at) < dayMs;
  const words = isReplaced
    ? { label: 'End now', title: `End the old token of ${token.name} now?`, action: 'End old token' }
    : { label: 'Revoke', title: `Revoke ${token.name}?`, action: 'Revoke token' };
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={ask.open}
        aria-label={isReplaced ? `End now: old token of ${token.name}` : `Revoke ${token.name}`}
      >
        {words.label}
      </Button>
      <Confirm
        opened={isAsking}
        title={words.title}
        action={words.action}
        {...(wasUsedToday ? { typed: token.name } : {})}
        mutation={revoke}
        onClose={ask.close}
      >
        {lastUse(token.last_used_at, detail.data?.addresses ?? [])} Requests with it will be rejected
        immediately, with the reason <i>token_revoked</i>. Its leads are kept
        {isReplaced ? ', and the new token keeps working' : ''}. This cannot be undone.
      </Confirm>
    </>
  );
}

/** What still uses it: "It was used 4 min ago from 2 addresses." */
function lastUse(usedAt: string | null, addresses: readonly { address: string; last_at: string }[]): string {
  if (usedAt === null) return 'It has never been used.';
  const recent = addresses.filter(({ last_at }) => Date.parse(usedAt) - Date.parse(last_at) < dayMs);
  const [first, ...others] = recent.map(({ address }) => address);
  const from =
    first === undefined
      ? ''
      : others.length === 0
        ? ` from 1 address (${first})`
        : ` from ${recent.length} addresses (${[first, ...others].join(', ')})`;
  return `It was used ${ago(usedAt, Date.now())}${from}.`;
}
