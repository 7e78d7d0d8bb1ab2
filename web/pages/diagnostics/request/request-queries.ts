import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';

/** Its key begins like those of the diagnostics, so that it is read again with them. */
export const rejectedRequestQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['diagnostics', w, 'request', id],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/rejections/:rejection_id', {
        params: { workspace_id: w, rejection_id: id },
        signal,
      }),
  });

export const dryRun = (w: string, id: string) =>
  api('POST', '/workspaces/:workspace_id/rejections/:rejection_id/dry-run', {
    params: { workspace_id: w, rejection_id: id },
  });
