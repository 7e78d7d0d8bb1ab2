import { Box } from '@mantine/core';
import type { PointerEvent, ReactNode } from 'react';

interface HeaderLike {
  getSize(): number;
  getResizeHandler(): (event: unknown) => void;
  readonly column: { getIsResizing(): boolean };
}

/** A column's head with a handle at its right edge. The width is kept when the handle is let go. */
export function HeaderCell(props: { header: HeaderLike; onResized: () => void; children: ReactNode }) {
  const { header, onResized, children } = props;
  const start = (event: PointerEvent) => {
    header.getResizeHandler()(event.nativeEvent);
    window.addEventListener('pointerup', () => setTimeout(onResized), { once: true });
  };
  return (
    <Box role="columnheader" className="lead-cell cut" w={header.getSize()}>
      {children}
      <span className="lead-handle" aria-hidden="true" onPointerDown={start} />
    </Box>
  );
}
