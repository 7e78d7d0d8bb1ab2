import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { leadQuery } from '../../../api/queries.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch } from '../lead-address.ts';
import { listQuery } from '../lead-list.tsx';

const moreBefore = 5;

/**
 * The leads before and after this one in the list behind the drawer. The next lead is fetched ahead, and more of the list
 * before it ends. A lead that has left the list, because it was erased or marked elsewhere, keeps its place.
 */
export function useNeighbours(leadId: string) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const { filters, isReady } = useLeadSearch();
  const { data, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    listQuery(workspaceId, filters, isReady),
  );
  const ids = data?.pages.flatMap(({ items }) => items.map((lead) => lead.submission_id)) ?? [];
  const found = ids.indexOf(leadId);
  const lastPlace = useRef({ leadId, place: -1 });
  useEffect(() => {
    if (found !== -1) lastPlace.current = { leadId, place: found };
  }, [leadId, found]);
  const kept = lastPlace.current.leadId === leadId ? lastPlace.current.place : -1;
  const place = found === -1 ? kept : found;
  const next = place === -1 ? undefined : ids[found === -1 ? place : place + 1];
  useEffect(() => {
    if (next !== undefined)
      void queryClient.prefetchQuery({ ...leadQuery(workspaceId, next), staleTime: 60_000 });
  }, [queryClient, workspaceId, next]);
  const isNearEnd = place !== -1 && place >= ids.length - moreBefore;
  useEffect(() => {
    if (isNearEnd && hasNextPage && !isFetching) void fetchNextPage();
  }, [isNearEnd, hasNextPage, isFetching, fetchNextPage]);
  return { previous: place > 0 ? ids[place - 1] : undefined, next, isInList: place !== -1 };
}
