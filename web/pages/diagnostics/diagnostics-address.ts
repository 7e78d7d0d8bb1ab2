import { getRouteApi } from '@tanstack/react-router';
import type { DiagnosticsAsked } from '../../api/queries.ts';
import { rangeDefault } from '../../parts/charts/time-range.ts';
import type { DiagnosticsSearch } from '../../search.ts';

const page = getRouteApi('/signed-in/w/$workspaceId/tokens/diagnostics');
/** Every filter is in the URL, so that a link or the back button restores the same view. */
const filterNames = ['form_id', 'token_id', 'surface', 'request_id'] as const;

export function useDiagnosticsSearch() {
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: DiagnosticsSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }), replace: 'live' in values });
  const isRequestSearch = search.request_id !== undefined;
  // A single request is searched for in the whole history, unless a time was chosen.
  const range = search.range ?? (isRequestSearch || search.from ? undefined : rangeDefault);
  const chosen = Object.fromEntries(filterNames.map((name) => [name, search[name]]));
  const isFiltered = filterNames.some((name) => search[name] !== undefined) || search.reason !== undefined;
  const clear = () =>
    change({
      reason: undefined,
      from: undefined,
      to: undefined,
      ...Object.fromEntries(filterNames.map((name) => [name, undefined])),
    });
  const { form_id, surface, from, to } = search;
  // Leads have no filter for the other two.
  const isOfLeads = search.token_id === undefined && !isRequestSearch;
  return {
    search,
    leadFilters: isOfLeads ? { form_id, surface, range, from, to } : undefined,
    change,
    clear,
    isFiltered,
    // A URL can hold anything; the API refuses what is not a filter.
    filters: { ...chosen, range, from: search.from, to: search.to } as DiagnosticsAsked,
    reason: search.reason as DiagnosticsAsked['reason'],
  };
}
