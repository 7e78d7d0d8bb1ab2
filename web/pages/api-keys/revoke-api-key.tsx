import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ApiKey } from '../../../src/contract/workspaces/api-keys.ts';
import { api } from '../../api/client.ts';
import { apiKeysQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { ago } from '../../parts/text/relative-time.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const dayMs = 86_400_000;

export function RevokeApiKey({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, last_used_at } = apiKey;
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const revoke = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/api-keys/:api_key_id', {
        params: { workspace_id: workspaceId, api_key_id: id },
      }),
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey: apiKeysQuery(workspaceId).queryKey });
    },
  });
  const wasUsedToday = last_used_at !== null && Date.now() - Date.parse(last_used_at) < dayMs;
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={ask.open} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <Confirm
        opened={isAsking}
        title={`Revoke ${name}?`}
        action="Revoke API key"
        {...(wasUsedToday ? { typed: name } : {})}
        mutation={revoke}
        onClose={ask.close}
      >
        {last_used_at === null
          ? 'It has never been used. '
          : `It was last used ${ago(last_used_at, Date.now())}. `}
        Programs that use it lose access immediately. This cannot be undone.
      </Confirm>
    </>
  );
}
