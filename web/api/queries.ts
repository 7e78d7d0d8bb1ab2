import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DiagnosticsInput } from '../../src/contract/diagnostics.ts';
import type { LeadFilterInput } from '../../src/contract/leads/lead.ts';
import { limitsOf, type RangeValues } from '../parts/charts/time-range.ts';
import { allOf, api } from './client.ts';

const allMax = 200;
const inWorkspace = (w: string) => ({ workspace_id: w });
const ofForm = (w: string, f: string) => ({ workspace_id: w, form_id: f });
const ofLead = (w: string, id: string) => ({ workspace_id: w, submission_id: id });

/**
 * Every query with its key. Queries that must be invalidated together share the start of their keys. What belongs to a workspace
 * is fetched again when the service says that it changed (live/queries-of-parts.ts); the rest is polled where it matters.
 */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: () => api('GET', '/me'),
  staleTime: 60_000,
});
export const setupQuery = queryOptions({ queryKey: ['setup'], queryFn: () => api('GET', '/setup') });
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: () => api('POST', '/invitations/preview', { body: { token } }),
    retry: false,
  });
export const resetMailQuery = queryOptions({
  queryKey: ['reset mail'],
  queryFn: () => api('GET', '/password-resets'),
});
export const resetQuery = (token: string) =>
  queryOptions({
    queryKey: ['reset', token],
    queryFn: () => api('POST', '/password-resets/preview', { body: { token } }),
    retry: false,
  });
export const recipientLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['recipient link', token],
    queryFn: () => api('POST', '/recipient-links/preview', { body: { token } }),
    retry: false,
  });
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => api('GET', '/me/sessions'),
});

export const workspaceQuery = (w: string) =>
  queryOptions({
    queryKey: ['workspace', w],
    queryFn: () => api('GET', '/workspaces/:workspace_id', { params: inWorkspace(w) }),
  });
export const membersQuery = (w: string) =>
  queryOptions({
    queryKey: ['members', w],
    queryFn: () =>
      allOf('/workspaces/:workspace_id/members', { params: inWorkspace(w), query: { limit: allMax } }),
  });
export const invitationsQuery = (w: string) =>
  queryOptions({
    queryKey: ['invitations', w],
    queryFn: () =>
      allOf('/workspaces/:workspace_id/invitations', { params: inWorkspace(w), query: { limit: allMax } }),
  });

export const formsQuery = (w: string) =>
  queryOptions({
    queryKey: ['forms', w],
    queryFn: () =>
      allOf('/workspaces/:workspace_id/forms', { params: inWorkspace(w), query: { limit: allMax } }),
  });
export const formQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['forms', w, f],
    queryFn: () => api('GET', '/workspaces/:workspace_id/forms/:form_id', { params: ofForm(w, f) }),
  });
/** Polled: the counts show whether the previous secret is still in use. */
export const secretUseQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['forms', w, f, 'secret use'],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', { params: ofForm(w, f) }),
    refetchInterval: 10_000,
  });
/** How web pages send leads to the form. Its key begins like that of the form, so that changes by others are seen. */
export const browserQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['forms', w, f, 'browser'],
    queryFn: () => api('GET', '/workspaces/:workspace_id/forms/:form_id/browser', { params: ofForm(w, f) }),
  });
/** Polled: people watch it while they open their own page. */
export const browserActivityQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['forms', w, f, 'browser activity'],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/forms/:form_id/browser/activity', { params: ofForm(w, f) }),
    refetchInterval: 3_000,
  });
export const slugQuery = (w: string, asked: { slug?: string; name?: string }) =>
  queryOptions({
    queryKey: ['slugs', w, asked],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/slug-check', { params: inWorkspace(w), query: asked }),
  });
/** Invalidated with the forms: a change to a form may free a slug, or use it again. */
export const formerSlugsQuery = (w: string) =>
  queryOptions({
    queryKey: ['forms', w, 'former slugs'],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/former-slugs', {
        params: inWorkspace(w),
        query: { limit: allMax },
      }),
  });
export const scoringQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['scoring', w, f],
    queryFn: () => api('GET', '/workspaces/:workspace_id/forms/:form_id/scoring', { params: ofForm(w, f) }),
  });
export const scoringRulesQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['scoring', w, f, 'rules'],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/forms/:form_id/scoring/rules', { params: ofForm(w, f) }),
  });

export const tokensQuery = (w: string) =>
  queryOptions({
    queryKey: ['tokens', w],
    queryFn: () =>
      allOf('/workspaces/:workspace_id/tokens', { params: inWorkspace(w), query: { limit: allMax } }),
  });

export const apiKeysQuery = (w: string) =>
  queryOptions({
    queryKey: ['api-keys', w],
    queryFn: () =>
      allOf('/workspaces/:workspace_id/api-keys', { params: inWorkspace(w), query: { limit: allMax } }),
  });

export const leadsQuery = (w: string, filters: LeadFilterInput) =>
  infiniteQueryOptions({
    queryKey: ['leads', w, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api('GET', '/workspaces/:workspace_id/leads', {
        params: inWorkspace(w),
        query: { ...filters, limit: 100, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
export const leadQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['leads', w, 'one', id],
    queryFn: () => api('GET', '/workspaces/:workspace_id/leads/:submission_id', { params: ofLead(w, id) }),
  });
export const leadHistoryQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['leads', w, 'history', id],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/leads/:submission_id/history', { params: ofLead(w, id) }),
  });
/** `scored` changes when the lead is scored again, so that the explanation is fetched again. */
export const leadScoreQuery = (w: string, id: string, scored: string) =>
  queryOptions({
    queryKey: ['leads', w, 'score', id, scored],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/leads/:submission_id/score', { params: ofLead(w, id) }),
    staleTime: Number.POSITIVE_INFINITY,
  });
export const leadMarksQuery = (w: string, id: string) =>
  infiniteQueryOptions({
    queryKey: ['leads', w, 'marks', id],
    queryFn: ({ pageParam }) =>
      api('GET', '/workspaces/:workspace_id/leads/:submission_id/marks', {
        params: ofLead(w, id),
        query: { limit: 20, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
/** Nobody else changes it, so it never goes stale. */
export const leadTableQuery = (w: string, formId: string | undefined) =>
  queryOptions({
    queryKey: ['lead-table', w, formId ?? 'all'],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/lead-table', {
        params: inWorkspace(w),
        query: { form_id: formId },
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
/** Apart from the list of leads, of which dozens of pages may be loaded. */
export const newestLeadsQuery = (w: string) =>
  queryOptions({
    queryKey: ['leads', w, 'newest'],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/leads', { params: inWorkspace(w), query: { limit: 6 }, signal }),
  });
export const enrichmentQuery = (w: string) =>
  queryOptions({
    queryKey: ['enrichment', w],
    queryFn: () => api('GET', '/workspaces/:workspace_id/enrichment', { params: inWorkspace(w) }),
  });

/** The filters of diagnostics; `range` is relative. */
export type DiagnosticsAsked = DiagnosticsInput & RangeValues;

/** Counts, series and groups. `range` is relative, so its bounds are computed for each call. */
export const diagnosticsQuery = (w: string, { range, from, to, ...filters }: DiagnosticsAsked) =>
  queryOptions({
    queryKey: ['diagnostics', w, { range, from, to, ...filters }],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/diagnostics', {
        params: inWorkspace(w),
        query: { ...filters, ...limitsOf({ range, from, to }, Date.now()) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
/** Single rejections, page by page. */
export const entriesQuery = (w: string, { range, from, to, ...filters }: DiagnosticsAsked) =>
  infiniteQueryOptions({
    queryKey: ['diagnostics', w, 'entries', { range, from, to, ...filters }],
    queryFn: ({ pageParam, signal }) =>
      api('GET', '/workspaces/:workspace_id/diagnostics', {
        params: inWorkspace(w),
        query: { ...filters, ...limitsOf({ range, from, to }, Date.now()), limit: 50, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
