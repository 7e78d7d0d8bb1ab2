import type { LeadView, LeadViewFilters } from '../../../../src/contract/leads/views.ts';
import type { LeadSearch } from '../../../search.ts';
import { filterRowsOf, searchOfRows } from '../filters/filter-row.ts';

/** The filters of a view as parameters of a URL. */
export function searchOfView({ filters }: Pick<LeadView, 'filters'>): LeadSearch {
  const { where, ...plain } = filters;
  return { ...plain, ...(where === undefined ? {} : { where: JSON.stringify(where) }) };
}

/** What a view keeps of a URL. Filters by fields become conditions, which mean the same. */
export function viewFiltersOf(search: LeadSearch): LeadViewFilters {
  const { q, sort, order, where, ...others } = canonical(search);
  const conditions = where === undefined ? {} : { where: JSON.parse(where) };
  return { q, sort, order, ...others, ...conditions } as LeadViewFilters;
}

export function isSameSearch(one: LeadSearch, other: LeadSearch): boolean {
  return JSON.stringify(entriesOf(one)) === JSON.stringify(entriesOf(other));
}

function entriesOf(search: LeadSearch): [string, unknown][] {
  return Object.entries(canonical(search))
    .filter(([, value]) => value !== undefined && value !== '')
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** The same filters are written in one way; the usual order is left out. */
function canonical({ q, sort, order, ...filters }: LeadSearch): LeadSearch {
  const isSorted = sort !== undefined && sort !== 'received';
  return {
    ...searchOfRows(filterRowsOf(filters), {}),
    q,
    sort: isSorted ? sort : undefined,
    order: order === 'asc' ? order : undefined,
  };
}
