import { type MutationOptions, useQueryClient } from '@tanstack/react-query';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { api } from '../../api/client.ts';
import { destinationQuery, destinationsQuery } from '../../api/destination-queries.ts';
import { toastDone } from '../../parts/toast.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** Pauses a destination, or resumes it: the mutation takes whether it is to send. */
export function useSending({ id, name }: Destination): MutationOptions<Destination, Error, boolean> {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const params = { workspace_id: workspaceId, destination_id: id };
  return {
    mutationFn: (sends) =>
      sends
        ? api('POST', '/workspaces/:workspace_id/destinations/:destination_id/resume', { params })
        : api('POST', '/workspaces/:workspace_id/destinations/:destination_id/pause', { params }),
    onSuccess(changed, sends) {
      toastDone(sends ? `${name} sends again.` : `${name} is paused.`);
      queryClient.setQueryData(destinationQuery(workspaceId, id).queryKey, changed);
      return queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey });
    },
  };
}
