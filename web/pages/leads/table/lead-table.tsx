import { Box } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { columnWidthMax, columnWidthMin } from '../../../../src/contract/leads/columns.ts';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { useKeys } from '../../../parts/keys/use-keys.ts';
import { SelectCell, selectWidth } from '../selection/select-cell.tsx';
import { useSelection } from '../selection/use-selection.ts';
import type { NewLeads } from '../use-new-leads.ts';
import { isPlainClick, isRowLink, TabStop } from './cells.tsx';
import { CompactCells, CompactHead, compactRowHeight } from './compact-row.tsx';
import { NewLeadsButton } from './new-leads-button.tsx';
import { cellOf, features, tableColumns } from './table-columns.tsx';
import { TableHead, useShownColumns } from './table-head.tsx';
import type { LeadColumns } from './use-columns.ts';
import { useCurrentLead } from './use-current.ts';
import { useHold } from './use-hold.ts';

const tableRowHeight = 38;
const moreBefore = 20;
/** Below this, a table would hide the names; as `visibleFrom="sm"`. */
const narrow = '(max-width: 47.99em)';

interface LeadTableProps {
  readonly leads: LeadListed[];
  readonly forms: readonly Form[];
  readonly columns: LeadColumns;
  readonly news: NewLeads;
  readonly hasMore: boolean;
  readonly isStale: boolean;
  onMore(): void;
}

/** Only visible rows are rendered. The counts in its attributes tell screen readers about the others. */
export function LeadTable({ leads, forms, columns, news, hasMore, isStale, onMore }: LeadTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(narrow, false, { getInitialValueInEffect: false });
  const rowHeight = isNarrow ? compactRowHeight : tableRowHeight;
  const sizing = useShownColumns(columns);
  const table = useTable({
    features,
    data: leads,
    columns: useMemo(() => tableColumns(sizing.shown), [sizing.shown]),
    getRowId: (lead) => lead.submission_id,
    defaultColumn: { minSize: columnWidthMin, maxSize: columnWidthMax },
  });
  const rows = table.getRowModel().rows;
  const ids = useMemo(() => leads.map(({ submission_id }) => submission_id), [leads]);
  const formNames = useMemo(() => new Map(forms.map(({ id, name }) => [id, name])), [forms]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // The heading covers the top of the list.
    scrollPaddingStart: isNarrow ? 0 : tableRowHeight,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: every row has another height.
  useEffect(() => virtual.measure(), [rowHeight]);
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && lastSeen > rows.length - moreBefore) onMore();
  }, [hasMore, lastSeen, rows.length, onMore]);
  const { currentId, openId, move, open, openCurrent, setCurrentId } = useCurrentLead({
    ids,
    scroller,
    scrollTo: (index) => virtual.scrollToIndex(index),
    onTop: news.show,
  });
  const selection = useSelection();
  const hold = useHold(scroller, news, selection?.isEmpty === false);
  useKeys(
    selection === null
      ? {}
      : {
          x: {
            label: 'Select or deselect the current lead',
            press: () => currentId !== undefined && selection.toggle(currentId),
          },
        },
  );
  /** With Shift, the rows on the way are selected. */
  const step = (by: number, isRange: boolean) => {
    const next = currentId === undefined ? undefined : ids[ids.indexOf(currentId) + by];
    if (isRange && next !== undefined) selection?.chooseTo(next, currentId);
    move(by);
  };
  const width = isNarrow ? 0 : table.getTotalSize() + (selection === null ? 0 : selectWidth);
  const tabStop = currentId !== undefined && ids.includes(currentId) ? currentId : ids[0];
  return (
    <Box pos="relative">
      <NewLeadsButton
        news={news}
        onShow={() => {
          news.show();
          scroller.current?.scrollTo({ top: 0 });
        }}
      />
      <Box
        ref={scroller}
        className="panel lead-table"
        role="table"
        aria-label="Leads"
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        aria-busy={isStale}
        data-stale={isStale || undefined}
        data-scroll-restoration-id="leads"
        onScroll={hold.onScroll}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') step(1, event.shiftKey);
          else if (event.key === 'ArrowUp') step(-1, event.shiftKey);
          else if (event.key === ' ' && isRowLink(event.target)) openCurrent();
          else return;
          event.preventDefault();
        }}
      >
        {isNarrow ? <CompactHead /> : <TableHead sizing={sizing} columns={columns} width={width} />}
        <Box role="rowgroup" h={virtual.getTotalSize()} miw={width} pos="relative" {...hold.rows}>
          <TabStop value={tabStop}>
            {items.map(({ index, start }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const formName = formNames.get(row.original.form_id) ?? 'Deleted form';
              return (
                <Box
                  key={row.id}
                  role="row"
                  aria-rowindex={index + 2}
                  className="lead-row"
                  data-lead={row.id}
                  data-chosen={selection?.isChosen(row.id) || undefined}
                  data-current={row.id === currentId || undefined}
                  data-open={row.id === openId || undefined}
                  style={{ transform: `translateY(${start}px)`, position: 'absolute', height: rowHeight }}
                  // Also the box of a row: X and the arrow keys continue there.
                  onFocus={() => setCurrentId(row.id)}
                  onClick={(event) => {
                    if (event.shiftKey && selection !== null) {
                      // No text between the rows, and no window of the link.
                      event.preventDefault();
                      selection.chooseTo(row.id, selection.isEmpty ? currentId : undefined);
                      setCurrentId(row.id);
                      return;
                    }
                    if (!isPlainClick(event)) return;
                    setCurrentId(row.id);
                    open(row.id);
                  }}
                >
                  <SelectCell lead={row.original} />
                  {isNarrow ? (
                    <CompactCells lead={row.original} formName={formName} />
                  ) : (
                    row.getVisibleCells().map((cell) => (
                      <Box key={cell.id} role="cell" className="lead-cell cut" w={cell.column.getSize()}>
                        {cellOf(cell.column.id, row.original, formName)}
                      </Box>
                    ))
                  )}
                </Box>
              );
            })}
          </TabStop>
        </Box>
      </Box>
    </Box>
  );
}
