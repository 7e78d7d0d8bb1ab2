import { useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { LeadFilterInput } from '../../../src/contract/leads/lead.ts';
import { limitsOf } from '../../parts/charts/time-range.ts';
import { isFieldFilterName, type LeadSearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const filterNames = ['form_id', 'verdict', 'mark', 'surface', 'q'] as const;
const hourMs = 3_600_000;

/** The filters of the lead table, from the URL. */
export function useLeadSearch() {
  const search = useSearch({ from: '/signed-in/w/$workspaceId/leads' });
  const navigate = useNavigate();
  const change = (values: LeadSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), replace: 'q' in values });
  const fieldFilters = Object.keys(search)
    .filter(isFieldFilterName)
    .map((name) => ({ name, value: search[name] }))
    .filter(({ value }) => value !== undefined);
  const active = [...filterNames, 'range' as const, 'from' as const].filter(
    (name) => search[name] !== undefined && search[name] !== '',
  );
  const isFiltered = active.length + fieldFilters.length > 0;
  const clear = () => void navigate({ to: '.', search: {} });
  return { search, change, clear, isFiltered, fieldFilters, filters: filtersOf(search) };
}

/** To the hour, so that the same filters have the same query key for a while. */
function filtersOf(search: LeadSearch): LeadFilterInput {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const names = [...filterNames, ...Object.keys(search).filter(isFieldFilterName)];
  const chosen = Object.fromEntries(names.map((name) => [name, search[name]]));
  // A URL can hold anything; the API refuses what is not a filter.
  return { ...chosen, ...limitsOf(search, now) } as LeadFilterInput;
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
