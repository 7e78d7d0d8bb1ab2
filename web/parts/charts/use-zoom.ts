import { type KeyboardEvent, useRef, useState } from 'react';

/** Two bars and all between them. The head moves; the anchor stays where the selection began. */
interface Selection {
  readonly anchor: number;
  readonly head: number;
}

interface Zoom {
  readonly bars: number;
  onZoom(first: number, last: number): void;
  onReset(): void;
}

/** Selects bars by dragging, or with the keyboard: arrows to move, Shift to extend, Enter to zoom in, Escape to zoom out. */
export function useZoom({ bars, onZoom, onReset }: Zoom) {
  const [selection, setSelection] = useState<Selection | null>(null);
  const drag = useRef<Selection | null>(null);

  const zoom = ({ anchor, head }: Selection) => {
    setSelection(null);
    onZoom(Math.min(anchor, head), Math.max(anchor, head));
  };
  const move = (bar: number) => {
    if (drag.current === null) return;
    drag.current = { ...drag.current, head: bar };
    setSelection(drag.current);
  };
  const begin = (bar: number) => {
    drag.current = { anchor: bar, head: bar };
    setSelection(drag.current);
    // The mouse button may be released outside the chart.
    const end = () => {
      const chosen = drag.current;
      drag.current = null;
      if (chosen !== null) zoom(chosen);
    };
    window.addEventListener('mouseup', end, { once: true });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const head = nextBar(event.key, selection?.head, bars);
    if (head !== null) setSelection({ anchor: event.shiftKey ? (selection?.anchor ?? head) : head, head });
    else if (event.key === 'Enter' && selection !== null) zoom(selection);
    else if (event.key === 'Escape' && selection !== null) setSelection(null);
    else if (event.key === 'Escape') onReset();
    else return;
    event.preventDefault();
  };

  const first = selection === null ? null : Math.min(selection.anchor, selection.head);
  const last = selection === null ? null : Math.max(selection.anchor, selection.head);
  return { first, last, begin, move, onKeyDown };
}

/** Null for keys that do not move. Without a selection, the first key selects the newest bar. */
function nextBar(key: string, head: number | undefined, bars: number): number | null {
  if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(key) || bars === 0) return null;
  if (key === 'Home') return 0;
  if (key === 'End' || head === undefined) return bars - 1;
  return Math.min(bars - 1, Math.max(0, head + (key === 'ArrowLeft' ? -1 : 1)));
}
