import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { LeadListInput } from '../../../src/contract/leads/lead.ts';
import { limitsOf } from '../../parts/charts/time-range.ts';
import { isFieldFilterName, type LeadSearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { type FilterRow, filterRowsOf, searchOfRows } from './filters/filter-row.ts';
import { addressWith, useShownView } from './views/use-shown-view.ts';

/** What both the list and its export take. */
export type LeadListFilters = Omit<LeadListInput, 'limit' | 'cursor' | 'view'>;

const passedOn = ['form_id', 'verdict', 'mark', 'surface', 'q', 'where', 'order'] as const;
const hourMs = 3_600_000;

/** The filters and the order of the lead table, from the URL and the saved view that it names. */
export function useLeadSearch() {
  const given = useSearch({ from: '/signed-in/w/$workspaceId/leads' });
  const navigate = useNavigate();
  const shown = useShownView(given);
  const { search } = shown;
  const rows = filterRowsOf(search);
  const change = (values: LeadSearch) =>
    void navigate({
      to: '.',
      search: addressWith(shown, { ...search, ...values }),
      replace: 'q' in values,
    });
  return {
    search,
    shown,
    rows,
    change,
    setRows: (next: readonly FilterRow[]) => change(searchOfRows(next, search)),
    clear: () => change({ ...searchOfRows([], search), q: undefined }),
    isFiltered: rows.length > 0 || (search.q ?? '') !== '',
    isReady: shown.state !== 'loading' && shown.state !== 'failed',
    filters: filtersOf(search),
  };
}

/** To the hour, so that the same filters have the same query key for a while. */
function filtersOf(search: LeadSearch): LeadListFilters {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const names = [...passedOn, ...Object.keys(search).filter(isFieldFilterName)];
  const chosen = Object.fromEntries(names.map((name) => [name, search[name]]));
  const sort = search.sort === 'received' ? undefined : search.sort;
  // A URL can hold anything; the API refuses what is not a filter.
  return { ...chosen, sort, to: search.to, ...limitsOf(search, now) } as LeadListFilters;
}

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before this one is the list. */
    isFromList?: boolean;
  }
}

/** The lead in the drawer has its own URL, which keeps the filters. */
export function useOpenLead() {
  const workspaceId = useWorkspaceId();
  const openId = useParams({ strict: false }).leadId;
  const router = useRouter();
  const navigate = useNavigate();
  const isClosing = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another lead can be closed again.
  useEffect(() => {
    isClosing.current = false;
  }, [openId]);
  const isOpen = () => router.state.location.pathname.includes('/leads/');
  return {
    openId,
    isOpen,
    /** From one lead to the next, the browser's history gets no entry: one step back is the list. */
    open(leadId: string | undefined) {
      if (leadId === undefined) return;
      const { isFromList } = router.state.location.state;
      void navigate({
        to: '/w/$workspaceId/leads/$leadId',
        params: { workspaceId, leadId },
        search: true,
        resetScroll: false,
        replace: isOpen(),
        state: { isFromList: isOpen() ? isFromList === true : true },
      });
    },
    close() {
      // Escape twice would leave the list as well.
      if (isClosing.current) return;
      isClosing.current = true;
      if (router.state.location.state.isFromList === true) router.history.back();
      else
        void navigate({
          to: '/w/$workspaceId/leads',
          params: { workspaceId },
          search: true,
          resetScroll: false,
          replace: true,
        });
    },
  };
}
