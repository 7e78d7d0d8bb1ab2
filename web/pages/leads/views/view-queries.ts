import { queryOptions } from '@tanstack/react-query';
import type { LeadView } from '../../../../src/contract/leads/views.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';

/** Its key begins like that of the workspace, so that changes by others are seen. */
export const leadViewsQuery = (w: string) =>
  queryOptions({
    queryKey: ['workspace', w, 'lead views'],
    queryFn: () => api('GET', '/workspaces/:workspace_id/lead-views', { params: { workspace_id: w } }),
  });

/** Views that were saved or changed here: nobody has to be told that they changed. */
const ownVersions = new Map<string, number>();
export const isOwnVersion = ({ id, version }: Pick<LeadView, 'id' | 'version'>) =>
  ownVersions.get(id) === version;

/** Shows a view that was saved here before it is read again. */
export function showSaved(w: string, view: LeadView): void {
  ownVersions.set(view.id, view.version);
  const { queryKey } = leadViewsQuery(w);
  queryClient.setQueryData(queryKey, (before) => {
    const others = before?.items.filter(({ id }) => id !== view.id) ?? [];
    return { items: [...others, view].toSorted((a, b) => a.name.localeCompare(b.name)) };
  });
  void queryClient.invalidateQueries({ queryKey });
}

export function showDeleted(w: string, viewId: string): void {
  const { queryKey } = leadViewsQuery(w);
  queryClient.setQueryData(queryKey, (before) =>
    before === undefined ? before : { items: before.items.filter(({ id }) => id !== viewId) },
  );
  void queryClient.invalidateQueries({ queryKey });
}
