import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Calls, InputOf, Lists } from '../../src/contract/calls.ts';
import type { HeldDryRun } from '../../src/contract/held/decisions.ts';
import { api } from './client.ts';

const pageMax = 50;
const progressRefreshMs = 1_000;
const inWorkspace = (w: string) => ({ workspace_id: w });

type HeldQuery = NonNullable<InputOf<Lists, '/workspaces/:workspace_id/held'>['query']>;
/** The filters of the list. */
export type HeldFilters = Omit<HeldQuery, 'cursor' | 'limit' | 'from' | 'to'>;
/** Which ones are decided on together: by their IDs, or all that match filters. */
export type HeldSelection = Omit<
  InputOf<Calls['POST'], '/workspaces/:workspace_id/held/discards'>['body'] & object,
  'dry_run'
>;
/** How a selection is admitted. */
export interface AdmissionChoices {
  readonly exclude_twins: boolean;
  readonly deliver: boolean;
}

export const heldListQuery = (w: string, filters: HeldFilters) =>
  infiniteQueryOptions({
    queryKey: ['held', w, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api('GET', '/workspaces/:workspace_id/held', {
        params: inWorkspace(w),
        query: { ...filters, limit: pageMax, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
export const heldSummaryQuery = (w: string, formId?: string) =>
  queryOptions({
    queryKey: ['held', w, 'summary', formId ?? 'all'],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/held/summary', {
        params: inWorkspace(w),
        query: { form_id: formId },
        signal,
      }),
  });
/** Apart from the list, because each read adds an entry to the audit log. */
export const heldQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['held request', w, id],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/held/:held_id', { params: { workspace_id: w, held_id: id } }),
    staleTime: 60_000,
  });
/** Polled while one is running. */
export const heldDecisionsQuery = (w: string) =>
  queryOptions({
    queryKey: ['held', w, 'decisions'],
    queryFn: () => api('GET', '/workspaces/:workspace_id/held/admissions', { params: inWorkspace(w) }),
    refetchInterval: ({ state }) =>
      state.data?.items.some((decision) => decision.state === 'running') ? progressRefreshMs : false,
  });
/** What an admission would do. It is asked about now, so nothing is kept. */
export const admissionDryRunQuery = (w: string, selection: HeldSelection, exclude_twins: boolean) =>
  queryOptions({
    queryKey: ['held dry run', w, selection, exclude_twins],
    queryFn: async ({ signal }) =>
      counted(
        await api('POST', '/workspaces/:workspace_id/held/admissions', {
          params: inWorkspace(w),
          body: { ...selection, exclude_twins, dry_run: true },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  });
export const discardDryRunQuery = (w: string, selection: HeldSelection) =>
  queryOptions({
    queryKey: ['held dry run', w, selection, 'discard'],
    queryFn: async ({ signal }) =>
      counted(
        await api('POST', '/workspaces/:workspace_id/held/discards', {
          params: inWorkspace(w),
          body: { ...selection, dry_run: true },
          signal,
        }),
      ),
    staleTime: 0,
    gcTime: 0,
  });

export const startAdmission = async (w: string, selection: HeldSelection, choices: AdmissionChoices) =>
  started(
    await api('POST', '/workspaces/:workspace_id/held/admissions', {
      params: inWorkspace(w),
      body: { ...selection, ...choices },
    }),
  );
export const startDiscard = async (w: string, selection: HeldSelection) =>
  started(
    await api('POST', '/workspaces/:workspace_id/held/discards', {
      params: inWorkspace(w),
      body: selection,
    }),
  );

type Answer = { readonly id: string } | HeldDryRun;

function counted(answer: Answer): HeldDryRun {
  if (!('count' in answer)) throw new Error('The service did not count them.');
  return answer;
}

function started(answer: Answer): string {
  if (!('id' in answer)) throw new Error('The service only counted them.');
  return answer.id;
}
