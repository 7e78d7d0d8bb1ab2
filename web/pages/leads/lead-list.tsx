import { Button, Group, Loader, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LeadFilterInput } from '../../../src/contract/leads/lead.ts';
import { leadsQuery } from '../../api/queries.ts';
import { exactTime } from '../../parts/time.tsx';

/** How often a search goes on by itself, after which it waits to be told: each time costs the service some 50 ms. */
const stopsPerGo = 20;

/**
 * The leads that match, as far as they are loaded. A search through very many leads stops now and then and says how far
 * it has got; it goes on by itself for a while.
 */
export function useLeadList(workspaceId: string, filters: LeadFilterInput) {
  const query = useInfiniteQuery(leadsQuery(workspaceId, filters));
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
    /** Back to which time leads have been looked at; null when a search is not short of any. */
    searchedTo: isPlaceholderData ? null : searchedTo,
    isSearching: isGoingOn || (searchedTo !== null && isFetching),
    hasMore: query.hasNextPage && searchedTo === null,
    searchOn: () => setGo({ asked, count: goes + 1 }),
  };
}

interface SearchProgressProps {
  readonly searchedTo: string;
  readonly isSearching: boolean;
  onSearchOn(): void;
}

/** How far a search has got, while it goes on and when it waits to be told to. */
export function SearchProgress({ searchedTo, isSearching, onSearchOn }: SearchProgressProps) {
  return (
    <Group gap="sm" role="status">
      {isSearching && <Loader size={14} aria-hidden="true" />}
      <Text size="sm" c="dimmed">
        {isSearching ? 'Searching. ' : ''}Looked at all leads back to {exactTime(searchedTo)}
        {isSearching ? ' …' : '; older ones may match too.'}
      </Text>
      {!isSearching && (
        <Button size="compact-sm" variant="default" onClick={onSearchOn}>
          Search further back
        </Button>
      )}
    </Group>
  );
}
