import { focusManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { useLeadsChanged } from '../../api/live/leads-changed.ts';
import { leadsQuery } from '../../api/queries.ts';
import type { LeadListFilters } from './lead-address.ts';
import { type LeadPage, type LeadPages, wasMarkedHere } from './lead-cache.ts';
import { comparedFrom, countNew, goneFrom, merged, type Newest, updated } from './new-leads.ts';

const newMax = 100;
const freshMs = 5_000;
const nobody: ReadonlySet<string> = new Set();

/**
 * Keeps the list in step with the service: asks only for its newest part, whenever leads have changed. While someone
 * reads the list, new leads wait, so that no row moves under their eyes or pointer. In any other order than newest first
 * they always wait: nobody knows where they belong until the list is loaded again.
 */
export function useNewLeads(workspaceId: string, filters: LeadListFilters) {
  const queryClient = useQueryClient();
  const { queryKey } = leadsQuery(workspaceId, filters);
  const asked = JSON.stringify(queryKey);
  const isSorted = filters.sort !== undefined || filters.order !== undefined;
  /** What was newest when the list was loaded in another order. */
  const waterline = useRef<{ readonly asked: string; readonly newest: LeadPage } | null>(null);
  const isRead = useRef((): boolean => false);
  const state = useRef({ isAsking: false, isAskedAgain: false });
  const [waiting, setWaiting] = useState<{ readonly asked: string; readonly newest: Newest } | null>(null);
  const loaded = () => queryClient.getQueryData<LeadPages>(queryKey);

  const show = (newest: Newest) => {
    const data = loaded();
    setWaiting(null);
    if (data === undefined) return;
    if (isSorted) waterline.current = { asked, newest: newest.page };
    const whole = isSorted ? null : merged(data, newest, wasMarkedHere);
    if (whole !== null) queryClient.setQueryData(queryKey, whole);
    else startOver(data);
  };
  /** One page is enough: whoever sees new leads is at the top. */
  const startOver = (data: LeadPages) => {
    queryClient.setQueryData<LeadPages>(queryKey, {
      pages: data.pages.slice(0, 1),
      pageParams: data.pageParams.slice(0, 1),
    });
    void queryClient.invalidateQueries({ queryKey, exact: true });
  };
  const read = (query: LeadListFilters & { readonly limit: number }) =>
    api('GET', '/workspaces/:workspace_id/leads', { params: { workspace_id: workspaceId }, query });
  /** Counts what is newer than the list, and shows the first rows as they are now. */
  const askSorted = async () => {
    const newestFirst = { ...filters, sort: undefined, order: undefined };
    if (waterline.current?.asked !== asked) {
      waterline.current = { asked, newest: await read({ ...newestFirst, limit: 1 }) };
      return;
    }
    const { newest } = waterline.current;
    const from = newest.items[0]?.received_at ?? filters.from;
    const page = await read({ ...newestFirst, from, limit: newMax });
    const first = await read({ ...filters, limit: newMax });
    const data = loaded();
    if (data === undefined) return;
    queryClient.setQueryData(queryKey, updated(data, { page: first, from: '' }));
    const known = newest.items.map(({ submission_id }) => submission_id);
    const items = page.items.filter(({ submission_id }) => !known.includes(submission_id));
    setWaiting({ asked, newest: { page: { ...page, items }, from: '' } });
  };
  const ask = async () => {
    const before = loaded();
    if (before === undefined) return;
    const loadedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now();
    const compared = comparedFrom(before, loadedAt);
    const from = filters.from !== undefined && filters.from > compared ? filters.from : compared;
    const page = await read({ ...filters, from, limit: newMax });
    const data = loaded();
    if (data === undefined) return;
    const newest = { page, from };
    if (!isRead.current()) return show(newest);
    queryClient.setQueryData(queryKey, updated(data, newest));
    setWaiting({ asked, newest });
  };
  /** One request at a time; what changes meanwhile is asked for afterwards. */
  const catchUp = useEffectEvent(async () => {
    if (state.current.isAsking) {
      state.current.isAskedAgain = true;
      return;
    }
    state.current = { isAsking: true, isAskedAgain: false };
    // Without a response the list stays as it is; the next change asks again.
    await (isSorted ? askSorted() : ask()).catch(() => undefined);
    const { isAskedAgain } = state.current;
    state.current = { isAsking: false, isAskedAgain: false };
    if (isAskedAgain) void catchUp();
  });
  useLeadsChanged(workspaceId, () => void catchUp());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is asked for.
  useEffect(() => {
    const age = Date.now() - (queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now());
    if (isSorted && age > freshMs) void queryClient.invalidateQueries({ queryKey, exact: true });
    if (isSorted || age > freshMs) void catchUp();
    return focusManager.subscribe((isFocused) => isFocused && void catchUp());
  }, [asked]);

  const data = loaded();
  const shown = waiting?.asked === asked ? waiting.newest : null;
  return {
    waiting: shown === null || data === undefined ? { count: 0, isMore: false } : countNew(data, shown),
    /** Rows that are still shown, because someone reads them. */
    gone: isSorted || shown === null || data === undefined ? nobody : goneFrom(data, shown),
    show: () => shown !== null && show(shown),
    /** Says whether someone reads the rows; the table knows. */
    isRead,
    /** Shows what waited, unless someone still reads. */
    release: () => shown !== null && !isSorted && !isRead.current() && show(shown),
  };
}

export type NewLeads = ReturnType<typeof useNewLeads>;
