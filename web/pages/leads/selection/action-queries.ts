import { queryOptions } from '@tanstack/react-query';
import type { LeadAction, LeadSelectionInput } from '../../../../src/contract/leads/actions.ts';
import type { ExportFormat, LeadFilterInput } from '../../../../src/contract/leads/lead.ts';
import { ApiProblem, api, fileAddress } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import type { LeadListFilters } from '../lead-address.ts';

const progressRefreshMs = 700;

/** Which leads: by their IDs, or all that match filters. */
export type Selection =
  | { readonly ids: readonly string[] }
  | { readonly filters: LeadFilterInput; readonly counted: LeadCount };

export interface LeadCount {
  readonly count: number;
  readonly is_exact: boolean;
  readonly counted_to: string;
}

/** The beginning of the key makes it follow changes of leads. */
export const leadActionsQuery = (w: string) =>
  queryOptions({
    queryKey: ['leads', w, 'actions'],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/lead-actions', { params: { workspace_id: w }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((action) => action.state === 'running') ? progressRefreshMs : false,
  });

/** Which leads match does not depend on their order, and the calls on many leads refuse it. */
export function withoutOrder({ sort: _, order: __, ...filters }: LeadListFilters): LeadFilterInput {
  return filters;
}

export const leadCountQuery = (w: string, filters: LeadFilterInput) =>
  queryOptions({
    queryKey: ['lead count', w, filters],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/leads/count', {
        params: { workspace_id: w },
        query: filters,
        signal,
      }),
    staleTime: 10_000,
    gcTime: 0,
  });

/** How many leads a selection has, and whether there may be more. */
export function sizeOf(selection: Selection): Pick<LeadCount, 'count' | 'is_exact'> {
  return 'ids' in selection ? { count: selection.ids.length, is_exact: true } : selection.counted;
}

/** `randomUUID` does not exist on plain HTTP. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function sent(selection: Selection): LeadSelectionInput {
  // So that a request which the browser or a second click repeats is one action.
  const id = newId();
  if ('ids' in selection) return { id, ids: [...selection.ids] };
  const { count, is_exact } = selection.counted;
  return {
    id,
    filter: filterOf(selection),
    ...(is_exact ? { expected_count: count } : { any_number: true }),
  };
}

/** Without leads that have arrived since they were counted. */
function filterOf({
  filters,
  counted,
}: Extract<Selection, { filters: LeadFilterInput }>): Record<string, string> {
  const given = Object.entries({ ...filters, to: counted.counted_to });
  return Object.fromEntries(given.filter((one): one is [string, string] => typeof one[1] === 'string'));
}

export async function startMarking(w: string, selection: Selection, mark: LeadAction['mark']) {
  const { id } = await api('POST', '/workspaces/:workspace_id/lead-actions/marks', {
    params: { workspace_id: w },
    body: { ...sent(selection), mark },
  });
  void queryClient.invalidateQueries(leadActionsQuery(w));
  return id;
}

export async function startErasure(w: string, selection: Selection) {
  await api('POST', '/workspaces/:workspace_id/lead-actions/erasures', {
    params: { workspace_id: w },
    body: sent(selection),
  });
  void queryClient.invalidateQueries(leadActionsQuery(w));
}

export async function undoMarking(w: string, id: string): Promise<void> {
  await api('POST', '/workspaces/:workspace_id/lead-actions/:action_id/undo', {
    params: { workspace_id: w, action_id: id },
  });
  await queryClient.invalidateQueries(leadActionsQuery(w));
}

export async function stopAction(w: string, id: string): Promise<void> {
  await api('POST', '/workspaces/:workspace_id/lead-actions/:action_id/stop', {
    params: { workspace_id: w, action_id: id },
  });
  await queryClient.invalidateQueries(leadActionsQuery(w));
}

/** Saves the leads as a file. A URL has no room for a thousand IDs, so those are sent. */
export async function exportSelection(w: string, selection: Selection, format: ExportFormat) {
  const address = fileAddress('/workspaces/:workspace_id/leads/export', {
    params: { workspace_id: w },
    query: 'ids' in selection ? {} : { ...filterOf(selection), format },
  });
  if (!('ids' in selection)) return save(address, `leads.${format}`);
  const body = JSON.stringify({ ids: selection.ids, format });
  const response = await fetch(address, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  if (!response.ok) throw new ApiProblem(response.status, await response.json().catch(() => ({})));
  const url = URL.createObjectURL(await response.blob());
  save(url, `leads.${format}`);
  URL.revokeObjectURL(url);
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
