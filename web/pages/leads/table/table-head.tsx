import { Box } from '@mantine/core';
import { useMemo, useState } from 'react';
import { HeaderCell } from './header-cell.tsx';
import { SortHeading, useSortHeadings } from './sort-heading.tsx';
import type { LeadColumns } from './use-columns.ts';

/** The visible columns; while the edge of one is dragged, with its new width. */
export function useShownColumns({ columns, resize }: LeadColumns) {
  const [resizing, setResizing] = useState<{ readonly id: string; readonly width: number } | null>(null);
  const shown = useMemo(
    () =>
      columns
        .filter(({ isShown }) => isShown)
        .map((column) => (column.id === resizing?.id ? { ...column, width: resizing.width } : column)),
    [columns, resizing],
  );
  return {
    shown,
    onResizing: (id: string, width: number) => setResizing({ id, width }),
    onResized(id: string, width: number) {
      setResizing(null);
      resize(id, width);
    },
  };
}

interface TableHeadProps {
  readonly sizing: ReturnType<typeof useShownColumns>;
  readonly columns: LeadColumns;
  readonly width: number;
}

export function TableHead({ sizing: { shown, onResizing, onResized }, columns, width }: TableHeadProps) {
  const headings = useSortHeadings();
  return (
    <Box role="row" aria-rowindex={1} className="lead-row lead-head" miw={width}>
      {shown.map((column) => (
        <HeaderCell
          key={column.id}
          column={column}
          sorted={headings.directionOf(column.id)}
          onResizing={(width) => onResizing(column.id, width)}
          onResized={(width) => onResized(column.id, width)}
          onDropped={(draggedId) => columns.moveTo(draggedId, column.id)}
        >
          <SortHeading column={column} headings={headings} />
        </HeaderCell>
      ))}
    </Box>
  );
}
