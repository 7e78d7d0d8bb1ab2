import { type FocusEvent, type PointerEvent, type UIEvent, useRef } from 'react';

/**
 * Whether somebody reads the rows: they have scrolled, or the pointer or the focus is on a row. Then no row may move.
 * `onHold` is told when that changes.
 */
export function useHold(onHold: (isHeld: boolean) => void) {
  const reading = useRef({ isScrolled: false, isPointed: false, isFocused: false });
  const change = (values: Partial<typeof reading.current>) => {
    const before = Object.values(reading.current).includes(true);
    reading.current = { ...reading.current, ...values };
    const now = Object.values(reading.current).includes(true);
    if (before !== now) onHold(now);
  };
  return {
    onScroll: ({ currentTarget }: UIEvent) => change({ isScrolled: currentTarget.scrollTop > 0 }),
    rows: {
      // A finger is on no row.
      onPointerEnter: ({ pointerType }: PointerEvent) => change({ isPointed: pointerType === 'mouse' }),
      onPointerLeave: () => change({ isPointed: false }),
      onFocus: () => change({ isFocused: true }),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        change({ isFocused: currentTarget.contains(relatedTarget) }),
    },
  };
}
