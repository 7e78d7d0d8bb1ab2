import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

/** The queries of the operator's pages. All keys start with `operator`. */
/** Polled: other operators decide too, and a drain may add leads. */
export const quarantineQuery = infiniteQueryOptions({
  queryKey: ['operator', 'quarantine'],
  queryFn: ({ pageParam }) => api('GET', '/operator/quarantine', { query: { cursor: pageParam } }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next_cursor ?? undefined,
  refetchInterval: 5_000,
});

/** Fetched again each time: rights may have changed. */
export const operatorPeopleQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'people', q],
    queryFn: ({ pageParam }) =>
      api('GET', '/operator/people', { query: { q, limit: 20, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
export const operatorPersonQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'person', id],
    queryFn: () => api('GET', '/operator/people/:person_id', { params: { person_id: id } }),
    staleTime: 0,
  });

export const unattributedQuery = (request_id: string | undefined) =>
  queryOptions({
    queryKey: ['operator', 'unattributed', request_id],
    queryFn: () => api('GET', '/operator/unattributed', { query: { request_id } }),
  });
/** Also asked during an outage of the database: that is when operators need it, and the service lets them in. */
const duringOutage = { networkMode: 'always', retry: false } as const;
export const healthQuery = queryOptions({
  queryKey: ['operator', 'health'],
  queryFn: () => api('GET', '/operator/health'),
  refetchInterval: 5_000,
  ...duringOutage,
});
export const healthSeriesQuery = queryOptions({
  queryKey: ['operator', 'health', 'series'],
  queryFn: () => api('GET', '/operator/health/series'),
  refetchInterval: 30_000,
  ...duringOutage,
});
/** Polled: the service watches itself once a minute. */
export const instanceAlarmsQuery = (state: 'open' | 'closed') =>
  infiniteQueryOptions({
    queryKey: ['operator', 'alarms', state],
    queryFn: ({ pageParam }) =>
      api('GET', '/operator/alarms', { query: { state, limit: 20, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: 30_000,
  });
export const instanceSettingsQuery = queryOptions({
  queryKey: ['operator', 'settings'],
  queryFn: () => api('GET', '/operator/settings'),
});
export interface WorkspacesAsked {
  readonly q?: string | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
}
export const allWorkspacesQuery = (asked: WorkspacesAsked) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'workspaces', asked],
    queryFn: ({ pageParam }) =>
      api('GET', '/workspaces', { query: { ...asked, limit: 20, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
