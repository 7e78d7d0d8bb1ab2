import { getRouteApi } from '@tanstack/react-router';
import type { DiagnosticsAsked } from '../../api/queries.ts';
import { rangeDefault } from '../../parts/charts/time-range.ts';
import type { DiagnosticsSearch } from '../../search.ts';

const page = getRouteApi('/signed-in/w/$workspaceId/tokens/diagnostics');
/** Every filter is in the URL, so that a link or the back button restores the same view. */
const filterNames = ['form_id', 'token_id', 'surface', 'request_id'] as const;
/** Of rejections alone: they say nothing about what was accepted, so numbers and charts do not follow them. */
const rejectionNames = ['reason', 'severity'] as const;
const none = Object.fromEntries([...filterNames, ...rejectionNames].map((name) => [name, undefined]));

const categories = { rejected: 'other', limited: 'rate_limit' } as const;
type DiagnosticsTab = keyof typeof categories;

export function useDiagnosticsSearch() {
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: DiagnosticsSearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...values }) });
  const isRequestSearch = search.request_id !== undefined;
  // A single request is searched for in the whole history, unless a time was chosen.
  const range = search.range ?? (isRequestSearch || search.from ? undefined : rangeDefault);
  const chosen = Object.fromEntries(filterNames.map((name) => [name, search[name]]));
  const clear = () => change({ from: undefined, to: undefined, ...none });
  const searchEverywhere = () =>
    change({ ...none, range: undefined, from: undefined, to: undefined, request_id: search.request_id });
  const { form_id, surface, from, to, reason } = search;
  // Leads have no filter for tokens.
  const isOfLeads = search.token_id === undefined;
  const reasons: readonly string[] = reason === undefined ? [] : reason.split(',');
  const tab: DiagnosticsTab = search.tab === 'limited' ? 'limited' : 'rejected';
  // A URL can hold anything; the API refuses what is not a filter.
  const filters = { ...chosen, range, from, to } as DiagnosticsAsked;
  // A request is found whatever it was rejected for.
  const category = isRequestSearch ? undefined : categories[tab];
  const rejections = { ...filters, reason, severity: search.severity, category };
  return {
    search,
    isRequestSearch,
    tab,
    reasons,
    leadFilters: isOfLeads ? { form_id, surface, range, from, to } : undefined,
    change,
    clear,
    /** For the same request, without any other filter. */
    searchEverywhere,
    /** Whether numbers and charts are of some submissions only. */
    isFiltered: filterNames.some((name) => search[name] !== undefined),
    filterCount: [...filterNames, ...rejectionNames].filter((name) => search[name] !== undefined).length,
    filters,
    /** Of the groups and single requests of the tab. */
    rejections: rejections as DiagnosticsAsked,
  };
}
