import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';

/** One token with its addresses. Its key begins like that of the list, so that it is fetched again with it. */
export const tokenQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['tokens', w, id],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/tokens/:token_id', {
        params: { workspace_id: w, token_id: id },
      }),
  });
