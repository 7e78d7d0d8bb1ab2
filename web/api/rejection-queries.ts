import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { GroupsInput } from '../../src/contract/diagnostics/groups.ts';
import { limitsOf, type RangeValues } from '../parts/charts/time-range.ts';
import { api } from './client.ts';
import type { DiagnosticsAsked } from './queries.ts';

const samplesMax = 5;
const inWorkspace = (w: string) => ({ workspace_id: w });

export type GroupsAsked = GroupsInput & RangeValues;

/** Rejections by reason or sender. As for all of diagnostics, the bounds of a relative range are computed for each call. */
export const groupsQuery = (w: string, { range, from, to, ...filters }: GroupsAsked) =>
  queryOptions({
    queryKey: ['diagnostics', w, 'groups', { range, from, to, ...filters }],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/diagnostics/groups', {
        params: inWorkspace(w),
        query: { ...filters, ...limitsOf({ range, from, to }, Date.now()) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The newest requests of a group. */
export const samplesQuery = (w: string, { range, from, to, ...filters }: DiagnosticsAsked) =>
  queryOptions({
    queryKey: ['diagnostics', w, 'samples', { range, from, to, ...filters }],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/diagnostics', {
        params: inWorkspace(w),
        query: { ...filters, ...limitsOf({ range, from, to }, Date.now()), limit: samplesMax },
        signal,
      }),
  });

export const rateLimitsQuery = (w: string, { range, from, to }: RangeValues) =>
  queryOptions({
    queryKey: ['diagnostics', w, 'rate limits', { range, from, to }],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/rate-limits', {
        params: inWorkspace(w),
        query: limitsOf({ range, from, to }, Date.now()),
        signal,
      }),
    placeholderData: keepPreviousData,
  });
