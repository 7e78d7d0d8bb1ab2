import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/**
 * How much each form is used. Its key begins like that of what changes with it: for owners the counts of diagnostics, for
 * members, who get no news of those, the leads.
 */
export const formActivityQuery = (w: string, isOwner: boolean) =>
  queryOptions({
    queryKey: [isOwner ? 'diagnostics' : 'leads', w, 'form activity'],
    queryFn: () => api('GET', '/workspaces/:workspace_id/form-activity', { params: { workspace_id: w } }),
  });
