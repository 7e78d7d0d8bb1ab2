import { infiniteQueryOptions } from '@tanstack/react-query';
import type { AuditInput } from '../../src/contract/audit.ts';
import { api } from './client.ts';

/** Long pages, because a series of equal actions is one line. */
const auditPageMax = 100;
export const auditQuery = (w: string, filters: AuditInput = {}) =>
  infiniteQueryOptions({
    queryKey: ['audit', w, filters],
    queryFn: ({ pageParam }) =>
      api('GET', '/workspaces/:workspace_id/audit', {
        params: { workspace_id: w },
        query: { limit: auditPageMax, ...filters, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });

export const filteredOperatorAuditQuery = (filters: AuditInput) =>
  infiniteQueryOptions({
    queryKey: ['operator', 'audit', filters],
    queryFn: ({ pageParam }) =>
      api('GET', '/operator/audit', { query: { limit: auditPageMax, ...filters, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
/** Its key covers all filters. */
export const operatorAuditQuery = filteredOperatorAuditQuery({});
