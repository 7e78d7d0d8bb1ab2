import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { InputOf, Lists } from '../../src/contract/calls.ts';
import type { NewDryRunRequest } from '../../src/contract/destinations/destination-settings.ts';
import { allOf, api } from './client.ts';

const allMax = 200;
const pageMax = 50;
const replayRefreshMs = 1_000;
const inWorkspace = (w: string) => ({ workspace_id: w });

type DeliveryQuery = NonNullable<InputOf<Lists, '/workspaces/:workspace_id/deliveries'>['query']>;
/** The filters of the deliveries. */
export type DeliveryFilters = Omit<DeliveryQuery, 'cursor' | 'limit'>;

export const destinationsQuery = (w: string) =>
  queryOptions({
    queryKey: ['destinations', w],
    queryFn: () =>
      allOf('/workspaces/:workspace_id/destinations', { params: inWorkspace(w), query: { limit: allMax } }),
  });
export const destinationQuery = (w: string, d: string) =>
  queryOptions({
    queryKey: ['destinations', w, d],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/destinations/:destination_id', {
        params: { workspace_id: w, destination_id: d },
      }),
  });
/** How many stored leads match, and what would be sent. `d` is null for a destination that does not exist yet. */
export const dryRunQuery = (w: string, d: string | null, { kind, ...body }: NewDryRunRequest) =>
  queryOptions({
    queryKey: ['dry run', w, d, kind, body],
    queryFn: ({ signal }) =>
      d === null
        ? api('POST', '/workspaces/:workspace_id/destinations/dry-run', {
            params: inWorkspace(w),
            body: { kind, ...body },
            signal,
          })
        : api('POST', '/workspaces/:workspace_id/destinations/:destination_id/dry-run', {
            params: { workspace_id: w, destination_id: d },
            body,
            signal,
          }),
    placeholderData: keepPreviousData,
    retry: false,
  });
/**
 * What a mapping for HubSpot can set, with a token that is not stored yet, or with that of a destination. HubSpot is asked once:
 * the service limits how often.
 */
export const hubspotPropertiesQuery = (w: string, d: string | null, token: string | null) =>
  queryOptions({
    queryKey: ['hubspot properties', w, d, token],
    queryFn: ({ signal }) =>
      token === null
        ? api('GET', '/workspaces/:workspace_id/destinations/:destination_id/properties', {
            params: { workspace_id: w, destination_id: d ?? '' },
            signal,
          })
        : api('POST', '/workspaces/:workspace_id/destinations/hubspot/properties', {
            params: inWorkspace(w),
            body: { token },
            signal,
          }),
    staleTime: 'static',
    retry: false,
  });

export const deliveriesQuery = (w: string, filters: DeliveryFilters) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', w, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api('GET', '/workspaces/:workspace_id/deliveries', {
        params: inWorkspace(w),
        query: { ...filters, limit: pageMax, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
export const deliveryQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['deliveries', w, 'one', id],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/deliveries/:delivery_id', {
        params: { workspace_id: w, delivery_id: id },
      }),
  });
export const leadDeliveriesQuery = (w: string, submissionId: string) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', w, 'lead', submissionId],
    queryFn: ({ pageParam }) =>
      api('GET', '/workspaces/:workspace_id/leads/:submission_id/deliveries', {
        params: { workspace_id: w, submission_id: submissionId },
        query: { limit: pageMax, cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
/** Polled while it runs. */
export const replayQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['deliveries', w, 'replay', id],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/deliveries/replays/:replay_id', {
        params: { workspace_id: w, replay_id: id },
      }),
    refetchInterval: ({ state }) => (state.data?.finished_at == null ? replayRefreshMs : false),
  });
