import { Box } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { columnWidthMax, columnWidthMin } from '../../../../src/contract/leads/columns.ts';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { useOpenLead } from '../lead-address.ts';
import { HeaderCell } from './header-cell.tsx';
import { features, tableColumns } from './table-columns.tsx';
import type { LeadColumns } from './use-columns.ts';

const rowHeight = 38;
const moreBefore = 20;

interface LeadTableProps {
  readonly leads: LeadListed[];
  readonly forms: readonly Form[];
  readonly columns: LeadColumns;
  readonly hasMore: boolean;
  readonly isStale: boolean;
  onMore(): void;
}

/** Only visible rows are rendered. The counts in its attributes tell screen readers about the others. */
export function LeadTable({ leads, forms, columns, hasMore, isStale, onMore }: LeadTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { openId, open } = useOpenLead();
  const [current, setCurrent] = useState(-1);
  const [resizing, setResizing] = useState<{ readonly id: string; readonly width: number } | null>(null);
  const shown = useMemo(
    () =>
      columns.columns
        .filter(({ isShown }) => isShown)
        .map((column) => (column.id === resizing?.id ? { ...column, width: resizing.width } : column)),
    [columns.columns, resizing],
  );
  const table = useTable({
    features,
    data: leads,
    columns: useMemo(() => tableColumns(shown, forms), [shown, forms]),
    getRowId: (lead) => lead.submission_id,
    defaultColumn: { minSize: columnWidthMin, maxSize: columnWidthMax },
  });
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastSeen > rows.length - moreBefore) onMore();
  }, [hasMore, lastSeen, rows.length, onMore]);
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, current + by));
    setCurrent(next);
    virtual.scrollToIndex(next);
  };
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
  ]);
  const width = table.getTotalSize();
  return (
    <Box
      ref={scroller}
      className="panel lead-table"
      role="table"
      aria-label="Leads"
      aria-rowcount={hasMore ? -1 : rows.length + 1}
      aria-busy={isStale}
      data-stale={isStale || undefined}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key === 'ArrowDown') move(1);
        else if (event.key === 'ArrowUp') move(-1);
        else if (event.key === 'Enter' && event.target === event.currentTarget) open(rows[current]?.id);
        else return;
        event.preventDefault();
      }}
    >
      <Box role="row" aria-rowindex={1} className="lead-row lead-head" miw={width}>
        {table.getHeaderGroups()[0]?.headers.map((header, i) => {
          const column = shown[i];
          if (column === undefined) return null;
          return (
            <HeaderCell
              key={header.id}
              column={column}
              onResizing={(width) => setResizing({ id: column.id, width })}
              onResized={(width) => {
                setResizing(null);
                columns.resize(column.id, width);
              }}
              onDropped={(draggedId) => columns.moveTo(draggedId, column.id)}
            >
              <table.FlexRender header={header} />
            </HeaderCell>
          );
        })}
      </Box>
      <Box role="rowgroup" h={virtual.getTotalSize()} miw={width} pos="relative">
        {items.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <Box
              key={row.id}
              role="row"
              aria-rowindex={index + 2}
              className="lead-row"
              data-current={index === current || undefined}
              data-open={row.id === openId || undefined}
              style={{ transform: `translateY(${start}px)`, position: 'absolute', height: rowHeight }}
              onClick={() => {
                setCurrent(index);
                open(row.id);
              }}
            >
              {row.getVisibleCells().map((cell) => (
                <Box key={cell.id} role="cell" className="lead-cell cut" w={cell.column.getSize()}>
                  <table.FlexRender cell={cell} />
                </Box>
              ))}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}
