import { Box } from '@mantine/core';
import { type DragEvent, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { columnWidthMax, columnWidthMin } from '../../../../src/contract/leads/columns.ts';
import { boundedWidth, firstColumnId, type LeadColumn } from './use-columns.ts';

interface HeaderCellProps {
  readonly column: LeadColumn;
  readonly sorted: 'ascending' | 'descending' | undefined;
  /** While the edge is dragged. */
  onResizing(width: number): void;
  onResized(width: number): void;
  onDropped(draggedId: string): void;
  readonly children: ReactNode;
}

const dragType = 'application/x-leadgate-column';

/** A column heading. Drag it onto another to move the column; drag its edge, or use the arrow keys, to resize it. */
export function HeaderCell({ column, sorted, onResizing, onResized, onDropped, children }: HeaderCellProps) {
  const [isTarget, setIsTarget] = useState(false);
  const isMovable = column.id !== firstColumnId;
  const dragged = (event: DragEvent) => isMovable && event.dataTransfer.types.includes(dragType);
  return (
    <Box
      role="columnheader"
      aria-sort={sorted}
      className="lead-cell"
      w={column.width}
      data-target={isTarget || undefined}
      onDragOver={(event) => {
        if (!dragged(event)) return;
        event.preventDefault();
        setIsTarget(true);
      }}
      onDragLeave={() => setIsTarget(false)}
      onDrop={(event) => {
        setIsTarget(false);
        if (!dragged(event)) return;
        event.preventDefault();
        onDropped(event.dataTransfer.getData(dragType));
      }}
    >
      <Box
        className="cut"
        draggable={isMovable}
        onDragStart={(event) => {
          event.dataTransfer.setData(dragType, column.id);
          event.dataTransfer.effectAllowed = 'move';
        }}
      >
        {children}
      </Box>
      <Edge column={column} onResizing={onResizing} onResized={onResized} />
    </Box>
  );
}

const keyStep = 16;
const steps: Record<string, number> = { ArrowLeft: -keyStep, ArrowRight: keyStep };

function Edge({
  column,
  onResizing,
  onResized,
}: Pick<HeaderCellProps, 'column' | 'onResizing' | 'onResized'>) {
  const start = (down: PointerEvent<HTMLElement>) => {
    const edge = down.currentTarget;
    let { width } = column;
    const move = (event: globalThis.PointerEvent) => {
      width = boundedWidth(column.width + event.clientX - down.clientX);
      onResizing(width);
    };
    const end = () => {
      edge.removeEventListener('pointermove', move);
      onResized(width);
    };
    edge.setPointerCapture(down.pointerId);
    edge.addEventListener('pointermove', move);
    edge.addEventListener('lostpointercapture', end, { once: true });
  };
  const press = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onResized(column.width + step);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr element cannot be moved.
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${column.label}`}
      aria-valuenow={column.width}
      aria-valuemin={columnWidthMin}
      aria-valuemax={columnWidthMax}
      className="lead-handle"
      onPointerDown={start}
      onKeyDown={press}
    />
  );
}
