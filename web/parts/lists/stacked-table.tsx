import { Table } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

/**
 * Around a table. Where there is less space than the table needs, each of its rows becomes a small card, so that its
 * actions stay on the screen. In a card a cell names itself by `data-label`, and takes the remaining width by `data-grows`.
 */
export function StackedTable({ minWidth, children }: { minWidth: number; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  const [isNarrow, setNarrow] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    // Before the first paint too, so that nothing moves afterwards.
    const measure = () => setNarrow(element.clientWidth < minWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [minWidth]);
  return (
    <Table.ScrollContainer
      ref={box}
      minWidth={isNarrow ? 0 : minWidth}
      type="native"
      className="stacked"
      data-narrow={isNarrow || undefined}
    >
      {children}
    </Table.ScrollContainer>
  );
}
