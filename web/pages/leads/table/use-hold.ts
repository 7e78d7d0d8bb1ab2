import { type FocusEvent, type RefObject, type UIEvent, useEffect } from 'react';
import type { NewLeads } from '../use-new-leads.ts';

const hasPointer = matchMedia('(hover: hover)');

/**
 * Tells the list whether someone reads its rows: they have scrolled, have
 * selected some, or the pointer or the focus is on a row. Then no row
 * may move, and new leads wait until that ends.
 */
export function useHold(
  scroller: RefObject<HTMLElement | null>,
  { isRead, release }: NewLeads,
  isSelecting: boolean,
) {
  useEffect(() => {
    isRead.current = () => {
      if (isSelecting) return true;
      const rows = scroller.current?.querySelector('[role=rowgroup]');
      if (scroller.current === null || rows === null || rows === undefined) return false;
      const isPointed = hasPointer.matches && rows.matches(':hover');
      return scroller.current.scrollTop > 0 || isPointed || rows.contains(document.activeElement);
    };
    return () => {
      isRead.current = () => false;
    };
  }, [scroller, isRead, isSelecting]);
  return {
    onScroll: ({ currentTarget }: UIEvent) => currentTarget.scrollTop === 0 && release(),
    rows: {
      onPointerLeave: () => release(),
      // From row to row the focus stays in the list.
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        !currentTarget.contains(relatedTarget) && release(),
    },
  };
}
