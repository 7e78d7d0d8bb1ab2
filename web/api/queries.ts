import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { limitsOf, type RangeValues } from '../parts/charts/time-range.ts';
import { diagnostics, enrichment, forms, leads, operator, people, tokens, workspaces } from './calls.ts';
import type { QueryValues } from './client.ts';

/** Everything that is read, with its key. A key starts with what must be forgotten together after a change. */
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: people.me, staleTime: 60_000 });
export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: people.setupNeeded });
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => people.readInvitation(token),
    retry: false,
  });
export const resetMailQuery = queryOptions({ queryKey: ['reset mail'], queryFn: people.resetMail });
export const resetQuery = (token: string) =>
  queryOptions({ queryKey: ['reset', token], queryFn: () => people.readReset(token), retry: false });
export const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: people.sessions });

export const workspaceQuery = (w: string) =>
  queryOptions({ queryKey: ['workspace', w], queryFn: () => workspaces.read(w) });
export const membersQuery = (w: string) =>
  queryOptions({ queryKey: ['members', w], queryFn: () => workspaces.members(w) });
export const invitationsQuery = (w: string) =>
  queryOptions({ queryKey: ['invitations', w], queryFn: () => workspaces.invitations(w) });
export const auditQuery = (w: string) =>
  infiniteQueryOptions({
    queryKey: ['audit', w],
    queryFn: ({ pageParam }) => workspaces.audit(w, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

/** Asked again by itself: other operators decide too, and a drain may add to it. */
export const quarantineQuery = infiniteQueryOptions({
  queryKey: ['operator', 'quarantine'],
  queryFn: ({ pageParam }) => operator.quarantine(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor ?? undefined,
  refetchInterval: 5_000,
});

export const operatorAuditQuery = infiniteQueryOptions({
  queryKey: ['operator', 'audit'],
  queryFn: ({ pageParam }) => operator.audit(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor ?? undefined,
});

/** What is looked for is found anew each time: rights may have changed meanwhile. */
export const operatorPeopleQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'people', q],
    queryFn: ({ pageParam }) => operator.people(q, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
export const operatorPersonQuery = (id: string) =>
  queryOptions({ queryKey: ['operator', 'person', id], queryFn: () => operator.person(id), staleTime: 0 });

export const formsQuery = (w: string) =>
  queryOptions({ queryKey: ['forms', w], queryFn: () => forms.list(w) });
export const formQuery = (w: string, f: string) =>
  queryOptions({ queryKey: ['forms', w, f], queryFn: () => forms.read(w, f) });
/** Asked again by itself: what is counted shows whether the former secret can go. */
export const secretUseQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['forms', w, f, 'secret use'],
    queryFn: () => forms.secretUse(w, f),
    refetchInterval: 10_000,
  });
export const slugQuery = (w: string, asked: { slug?: string; name?: string }) =>
  queryOptions({
    queryKey: ['slugs', w, asked],
    queryFn: () => forms.checkSlug(w, asked),
    placeholderData: keepPreviousData,
  });
/** Forgotten with the forms: whatever changes one of them may free a slug, or use it again. */
export const formerSlugsQuery = (w: string) =>
  queryOptions({ queryKey: ['forms', w, 'former slugs'], queryFn: () => forms.formerSlugs(w) });
export const scoringQuery = (w: string, f: string) =>
  queryOptions({ queryKey: ['scoring', w, f], queryFn: () => forms.scoring(w, f) });
export const scoringRulesQuery = (w: string, f: string) =>
  queryOptions({ queryKey: ['scoring', w, f, 'rules'], queryFn: () => forms.scoringRules(w, f) });

/** Asked again by itself: tokens are used while the page is open, and revoking one in use asks for more care. */
export const tokensQuery = (w: string) =>
  queryOptions({ queryKey: ['tokens', w], queryFn: () => tokens.list(w), refetchInterval: 5_000 });

export const leadsQuery = (w: string, filters: QueryValues) =>
  infiniteQueryOptions({
    queryKey: ['leads', w, 'list', filters],
    queryFn: ({ pageParam, signal }) => leads.list(w, { ...filters, limit: 100, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
export const leadQuery = (w: string, id: string) =>
  queryOptions({ queryKey: ['leads', w, 'one', id], queryFn: () => leads.read(w, id) });
export const leadHistoryQuery = (w: string, id: string) =>
  queryOptions({ queryKey: ['leads', w, 'history', id], queryFn: () => leads.history(w, id) });
/** Nobody else changes it, so what was read once stays right. */
export const leadTableQuery = (w: string, formId: string | undefined) =>
  queryOptions({
    queryKey: ['lead-table', w, formId ?? 'all'],
    queryFn: () => leads.table(w, formId),
    staleTime: Number.POSITIVE_INFINITY,
  });
/** The newest lead, asked for until there is one. */
export const firstLeadQuery = (w: string) =>
  queryOptions({
    queryKey: ['leads', w, 'first'],
    queryFn: ({ signal }) => leads.list(w, { limit: 1 }, signal),
    refetchInterval: ({ state }) => (state.data?.items.length ? false : 2_000),
  });

/** Asked again by itself: questions are asked while the page is open. */
export const enrichmentQuery = (w: string) =>
  queryOptions({ queryKey: ['enrichment', w], queryFn: () => enrichment.read(w), refetchInterval: 10_000 });

/** Counts, series and groups. `range` is relative, so its limits are reckoned anew with each call. */
export const diagnosticsQuery = (w: string, { range, from, to, ...filters }: QueryValues & RangeValues) =>
  queryOptions({
    queryKey: ['diagnostics', w, { range, from, to, ...filters }],
    queryFn: ({ signal }) =>
      diagnostics.read(w, { ...filters, ...limitsOf({ range, from, to }, Date.now()) }, signal),
    placeholderData: keepPreviousData,
  });
/** The single entries, page by page. */
export const entriesQuery = (w: string, { range, from, to, ...filters }: QueryValues & RangeValues) =>
  infiniteQueryOptions({
    queryKey: ['diagnostics', w, 'entries', { range, from, to, ...filters }],
    queryFn: ({ pageParam, signal }) =>
      diagnostics.read(
        w,
        { ...filters, ...limitsOf({ range, from, to }, Date.now()), limit: 50, cursor: pageParam },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const unattributedQuery = (filters: QueryValues) =>
  queryOptions({
    queryKey: ['operator', 'unattributed', filters],
    queryFn: () => operator.unattributed(filters),
  });
export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: operator.health,
  refetchInterval: 5_000,
});
export const instanceSettingsQuery = queryOptions({
  queryKey: ['operator', 'settings'],
  queryFn: operator.settings,
});
export const allWorkspacesQuery = queryOptions({
  queryKey: ['operator', 'workspaces'],
  queryFn: workspaces.list,
});
