import { Button, Group, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { leadsQuery } from '../../api/queries.ts';
import { numberText } from '../../parts/numbers.ts';
import { exactTime } from '../../parts/time.tsx';
import type { LeadListFilters } from './lead-address.ts';
import type { LeadPage, LeadPages } from './lead-cache.ts';

const keptMs = 30 * 60_000;
/** How often a list is read again whose order is being prepared. */
const preparingMs = 3_000;

const preparingIn = (data: Pick<LeadPages, 'pages'> | undefined) => data?.pages[0]?.preparing ?? null;

/** Kept while other pages are open, and never fetched again by itself: only its newest part is, when leads change. */
export const listQuery = (workspaceId: string, filters: LeadListFilters, isReady: boolean) => ({
  ...leadsQuery(workspaceId, filters),
  // The filters of a saved view may not be known yet.
  enabled: isReady,
  refetchInterval: ({ state }: { state: { readonly data: LeadPages | undefined } }) =>
    preparingIn(state.data) === null ? false : preparingMs,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: keptMs,
});

/** How many times a search continues by itself before it waits for a click: each time costs the service about 50 ms. */
const stopsPerGo = 20;

/**
 * The matching leads loaded so far. A search through very many leads stops now and then and says how far it has got; it
 * continues by itself for a while.
 */
export function useLeadList(workspaceId: string, filters: LeadListFilters, isReady: boolean) {
  const query = useInfiniteQuery(listQuery(workspaceId, filters, isReady));
  const asked = JSON.stringify([workspaceId, filters]);
  const [go, setGo] = useState({ asked, count: 1 });
  const pages = query.data?.pages ?? [];
  const stops = pages.filter(({ searched_to }) => searched_to !== null).length;
  const searchedTo = pages.at(-1)?.searched_to ?? null;
  const goes = go.asked === asked ? go.count : 1;
  const isGoingOn = searchedTo !== null && stops < goes * stopsPerGo && !query.isError;
  const { isFetching, isPlaceholderData, fetchNextPage } = query;
  useEffect(() => {
    if (isGoingOn && !isFetching && !isPlaceholderData) void fetchNextPage();
  }, [isGoingOn, isFetching, isPlaceholderData, fetchNextPage]);
  return {
    query,
    leads: pages.flatMap(({ items }) => items),
    /** How far back leads have been searched; null when the search is complete. */
    searchedTo: isPlaceholderData ? null : searchedTo,
    isSearching: isGoingOn || (searchedTo !== null && isFetching),
    preparing: isPlaceholderData ? null : preparingIn(query.data),
    hasMore: query.hasNextPage && searchedTo === null,
    searchOn: () => setGo({ asked, count: goes + 1 }),
  };
}

/** How much of the list is in the order that was asked for. */
export function SortProgress({ preparing }: { preparing: NonNullable<LeadPage['preparing']> }) {
  const { sorted, done, total } = preparing;
  const percent = total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));
  return (
    <Group gap="sm" role="status">
      <Loader size={14} aria-hidden="true" />
      <Text size="sm" c="dimmed">
        Preparing this order: {percent}%. Until then only the newest {numberText(sorted)} leads are listed.
      </Text>
    </Group>
  );
}

interface SearchProgressProps {
  /** Null if the list is not sorted by time: a time would not say how much is left. */
  readonly searchedTo: string | null;
  readonly isSearching: boolean;
  onSearchOn(): void;
}

/** How far a search has got, while it runs and while it waits for a click. */
export function SearchProgress({ searchedTo, isSearching, onSearchOn }: SearchProgressProps) {
  return (
    <Group gap="sm" role="status">
      {isSearching && <Loader size={14} aria-hidden="true" />}
      <Text size="sm" c="dimmed">
        {isSearching ? 'Searching. ' : ''}
        {searchedTo === null ? 'Not all leads are searched yet' : `Searched back to ${exactTime(searchedTo)}`}
        {isSearching ? '…' : `. ${searchedTo === null ? 'Others' : 'Older leads'} may match too.`}
      </Text>
      {!isSearching && (
        <Button size="compact-sm" variant="default" onClick={onSearchOn}>
          {searchedTo === null ? 'Search further' : 'Search further back'}
        </Button>
      )}
    </Group>
  );
}
