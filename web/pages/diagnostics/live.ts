import { useQueryClient } from '@tanstack/react-query';
import { createContext, type FocusEvent, useContext, useRef, useState } from 'react';

/** Whether the page follows what happens. */
export const LiveContext = createContext(true);

/**
 * For every query of the page. While it does not follow, changes fetch nothing again, but what was never fetched still is: a
 * filter works as ever.
 */
export function useLiveOptions() {
  const isLive = useContext(LiveContext);
  return { enabled: isLive || (({ state }: { state: { data: unknown } }) => state.data === undefined) };
}

/** Fetches everything of the page again, also while it does not follow. */
export function useRefresh(workspaceId: string): () => void {
  const cache = useQueryClient().getQueryCache();
  return () => {
    for (const query of cache.findAll({ queryKey: ['diagnostics', workspaceId] }))
      if (query.getObserversCount() > 0) void query.fetch();
  };
}

interface Held<Value> {
  readonly name: string;
  readonly value: Value;
}

/**
 * Keeps rows as they are while the pointer or the focus is on one of them, so that nothing moves under it. `name` says which
 * rows they are: others are shown at once. `isOld` is true while the value is still that of another name.
 */
export function useStillRows<Value>(value: Value, name: string, isOld: boolean) {
  const [isPointed, setPointed] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const held = useRef<Held<Value> | null>(null);
  const isPaused = isPointed || isFocused;
  const isKept = isPaused && held.current?.name === name;
  if (!isKept && !isOld) held.current = { name, value };
  return {
    shown: isKept ? (held.current as Held<Value>).value : value,
    isPaused,
    resume() {
      setPointed(false);
      setFocused(false);
    },
    handlers: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        setFocused(currentTarget.contains(relatedTarget as Node | null)),
    },
  };
}
