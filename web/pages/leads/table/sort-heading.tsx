import { UnstyledButton } from '@mantine/core';
import { Icon } from '../../../parts/icons.tsx';
import { sortAfterClick, sortedBy } from '../filters/sorting.ts';
import { useLeadSearch } from '../lead-address.ts';
import type { LeadColumn } from './use-columns.ts';

/** The order of the list, for the heading of each column. */
export function useSortHeadings() {
  const { search, change } = useLeadSearch();
  const { by, order } = sortedBy(search);
  return {
    /** For `aria-sort`: only the column that the list is sorted by has one. */
    directionOf: (id: string) =>
      id !== by ? undefined : order === 'asc' ? ('ascending' as const) : ('descending' as const),
    sort: (id: string) => change(sortAfterClick(search, id)),
  };
}

interface SortHeadingProps {
  readonly column: LeadColumn;
  readonly headings: ReturnType<typeof useSortHeadings>;
}

/** The name of a column. A click sorts by it, and the next one the other way round. */
export function SortHeading({ column: { id, label }, headings }: SortHeadingProps) {
  const direction = headings.directionOf(id);
  return (
    <UnstyledButton
      className="sort-heading"
      data-sorted={direction}
      title={`Sort by ${label}`}
      onClick={() => headings.sort(id)}
    >
      <span className="cut">{label}</span>
      {direction !== undefined && <Icon name={direction === 'ascending' ? 'up' : 'down'} size={13} />}
    </UnstyledButton>
  );
}
