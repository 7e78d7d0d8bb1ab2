import { type RefObject, useEffect, useRef, useState } from 'react';
import { useKeys } from '../../../parts/keys/use-keys.ts';
import { useOpenLead } from '../lead-address.ts';
import { openDialogs } from './keys.ts';

interface CurrentLeadOptions {
  readonly ids: readonly string[];
  readonly scroller: RefObject<HTMLElement | null>;
  scrollTo(index: number): void;
  /** The first row was left upwards. */
  onTop(): void;
}

/**
 * The row that the keys move. It is known by its id, so new leads above it change nothing. Its link has the focus, which it
 * gets back when the drawer closes.
 */
export function useCurrentLead({ ids, scroller, scrollTo, onTop }: CurrentLeadOptions) {
  const { openId, open } = useOpenLead();
  const [currentId, setCurrentId] = useState<string>();
  const focusId = useRef<string | null>(null);
  const last = useRef({ openId, place: 0 });

  const place = openId === undefined ? -1 : ids.indexOf(openId);
  const goTo = (index: number) => {
    const id = ids[Math.max(0, Math.min(ids.length - 1, index))];
    if (id === undefined) return;
    setCurrentId(id);
    scrollTo(ids.indexOf(id));
    focusId.current = id;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a lead is opened or closed.
  useEffect(() => {
    const { openId: before, place: placeBefore } = last.current;
    last.current = { openId, place: place === -1 ? placeBefore : place };
    if (openId !== undefined) {
      focusId.current = null;
      setCurrentId(openId);
      if (place !== -1) scrollTo(place);
    } else if (before !== undefined) {
      // An erased lead has left its place to the next one.
      const now = ids.indexOf(before);
      goTo(now === -1 ? placeBefore : now);
    }
  }, [openId]);
  // The row may be drawn only after the list has scrolled to it, and the drawer may close only after that.
  useEffect(() => {
    const focus = () => {
      if (focusId.current === null) return;
      if (openDialogs() > 0) {
        requestAnimationFrame(focus);
        return;
      }
      const row = scroller.current?.querySelector(`[data-lead="${CSS.escape(focusId.current)}"]`);
      const link = row?.querySelector('a') ?? null;
      if (link !== null) focusId.current = null;
      link?.focus({ preventScroll: true });
    };
    focus();
  });
  const move = (by: number) => {
    const index = currentId === undefined ? -1 : ids.indexOf(currentId);
    if (index === 0 && by < 0) onTop();
    goTo(index === -1 ? 0 : index + by);
  };
  useKeys({
    j: { label: 'Next lead', press: () => move(1), repeats: true },
    k: { label: 'Previous lead', press: () => move(-1), repeats: true },
    Enter: { label: 'Open the lead', press: () => open(currentId ?? ids[0]) },
  });
  return { currentId, openId, move, open, setCurrentId };
}
