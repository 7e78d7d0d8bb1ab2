import { focusManager, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LeadFilterInput } from '../../../src/contract/leads/lead.ts';
import { api } from '../../api/client.ts';
import { useLeadsChanged } from '../../api/live/leads-changed.ts';
import { leadsQuery } from '../../api/queries.ts';
import { type LeadPages, wasMarkedHere } from './lead-cache.ts';
import { comparedFrom, countNew, goneFrom, merged, type Newest, updated } from './new-leads.ts';

const newMax = 100;
const freshMs = 5_000;
const nobody: ReadonlySet<string> = new Set();

/**
 * Keeps the list in step with the service: asks only for its newest part, whenever leads have changed. While somebody
 * reads the list, new leads wait, so that no row moves under their eyes or pointer.
 */
export function useNewLeads(workspaceId: string, filters: LeadFilterInput) {
  const queryClient = useQueryClient();
  const { queryKey } = leadsQuery(workspaceId, filters);
  const asked = JSON.stringify(queryKey);
  const isRead = useRef((): boolean => false);
  const state = useRef({ isAsking: false, isAskedAgain: false });
  const [waiting, setWaiting] = useState<{ readonly asked: string; readonly newest: Newest } | null>(null);
  const loaded = () => queryClient.getQueryData<LeadPages>(queryKey);

  const show = (newest: Newest) => {
    const data = loaded();
    setWaiting(null);
    if (data === undefined) return;
    const whole = merged(data, newest, wasMarkedHere);
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
  const ask = async () => {
    const before = loaded();
    if (before === undefined) return;
    const loadedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now();
    const compared = comparedFrom(before, loadedAt);
    const from = filters.from !== undefined && filters.from > compared ? filters.from : compared;
    const page = await api('GET', '/workspaces/:workspace_id/leads', {
      params: { workspace_id: workspaceId },
      query: { ...filters, from, limit: newMax },
    });
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
    await ask().catch(() => undefined);
    const { isAskedAgain } = state.current;
    state.current = { isAsking: false, isAskedAgain: false };
    if (isAskedAgain) void catchUp();
  });
  useLeadsChanged(workspaceId, () => void catchUp());
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is asked for.
  useEffect(() => {
    const age = Date.now() - (queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? Date.now());
    if (age > freshMs) void catchUp();
    return focusManager.subscribe((isFocused) => isFocused && void catchUp());
  }, [asked]);

  const data = loaded();
  const shown = waiting?.asked === asked ? waiting.newest : null;
  return {
    waiting: shown === null || data === undefined ? { count: 0, isMore: false } : countNew(data, shown),
    /** Rows that are still shown, because somebody reads them. */
    gone: shown === null || data === undefined ? nobody : goneFrom(data, shown),
    show: () => shown !== null && show(shown),
    /** Says whether somebody reads the rows; the table knows. */
    isRead,
    /** Shows what waited, unless somebody still reads. */
    release: () => shown !== null && !isRead.current() && show(shown),
  };
}

export type NewLeads = ReturnType<typeof useNewLeads>;
