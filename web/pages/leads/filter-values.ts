import { useNavigate, useSearch } from '@tanstack/react-router';
import type { QueryValues } from '../../api/client.ts';
import { limitsOf } from '../../parts/charts/time-range.ts';
import type { Search } from '../../routes.tsx';

const filterNames = ['form_id', 'verdict', 'mark', 'surface', 'q'] as const;
const hourMs = 3_600_000;

/** The filters of the lead table, as they stand in the address. `field.<key>` filters by the value of a field. */
export function useLeadSearch() {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (values: Search) =>
    void navigate({
      to: '.',
      search: (before: Search) => ({ ...before, ...values }),
      replace: 'q' in values,
    });
  const fieldFilters = Object.entries(search).filter(
    ([name, value]) => name.startsWith('field.') && value !== undefined,
  );
  const active = [...filterNames, 'range'].filter(
    (name) => search[name] !== undefined && search[name] !== '',
  );
  const isFiltered = active.length + fieldFilters.length > 0;
  // All but the chosen columns, which are no filter, is forgotten.
  const clear = () => void navigate({ to: '.', search: {} });
  return { search, change, clear, isFiltered, fieldFilters, filters: filtersOf(search, fieldFilters) };
}

/** To the hour, so that the same question has the same key for a while. */
function filtersOf(search: Search, fieldFilters: readonly [string, string | undefined][]): QueryValues {
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const chosen = Object.fromEntries(filterNames.map((name) => [name, search[name]]));
  return { ...chosen, ...limitsOf(search, now), ...Object.fromEntries(fieldFilters) };
}
