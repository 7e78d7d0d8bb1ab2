import { Box } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Form } from '../../../src/contract/form.ts';
import type { Lead } from '../../../src/contract/lead.ts';
import { FieldCell, ScoreCell, TimeCell, VerdictCell } from './cells.tsx';
import { HeaderCell } from './header-cell.tsx';
import { useOpenLead } from './open-lead.ts';
import type { LeadColumns } from './use-columns.ts';

const features = tableFeatures({ columnSizingFeature, columnResizingFeature, columnVisibilityFeature });
const helper = createColumnHelper<typeof features, Lead>();
const rowHeight = 38;
const moreBefore = 20;

interface LeadTableProps {
  readonly leads: Lead[];
  readonly forms: readonly Form[];
  readonly columns: LeadColumns;
  readonly hasMore: boolean;
  readonly isStale: boolean;
  onMore(): void;
}

/** Only the rows in sight exist. The counts in its attributes tell a screen reader of the others. */
export function LeadTable({ leads, forms, columns, hasMore, isStale, onMore }: LeadTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const { openId, open } = useOpenLead();
  const [current, setCurrent] = useState(-1);
  const table = useTable({
    features,
    data: leads,
    columns: useMemo(() => columnsOf(columns, forms), [columns, forms]),
    getRowId: (lead) => lead.submission_id,
    defaultColumn: { minSize: 60, maxSize: 800 },
    initialState: { columnSizing: { ...columns.widths } },
    columnResizeMode: 'onChange',
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
        {table.getHeaderGroups()[0]?.headers.map((header) => (
          <HeaderCell
            key={header.id}
            header={header}
            onResized={() => columns.resize(table.state.columnSizing)}
          >
            <table.FlexRender header={header} />
          </HeaderCell>
        ))}
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

function columnsOf({ columns }: LeadColumns, forms: readonly Form[]) {
  const names = new Map(forms.map((form) => [form.id, form.name]));
  return helper.columns([
    helper.display({
      id: '·received',
      header: 'Received',
      size: 132,
      cell: ({ row }) => <TimeCell lead={row.original} />,
    }),
    helper.display({
      id: '·verdict',
      header: 'Verdict',
      size: 116,
      cell: ({ row }) => <VerdictCell lead={row.original} />,
    }),
    helper.display({
      id: '·score',
      header: 'Score',
      size: 84,
      cell: ({ row }) => <ScoreCell lead={row.original} />,
    }),
    ...columns
      .filter(({ isShown }) => isShown)
      .map(({ key, label }) =>
        helper.display({
          id: key,
          header: label,
          size: 180,
          cell: ({ row }) => <FieldCell fields={row.original.fields} name={key} />,
        }),
      ),
    helper.display({
      id: '·form',
      header: 'Form',
      size: 160,
      cell: ({ row }) => names.get(row.original.form_id) ?? 'Deleted form',
    }),
  ]);
}
