import { useBlocker } from '@tanstack/react-router';

/** Asks before someone leaves unsaved changes by a link, the back button or closing the window. */
export function useUnsavedGuard(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: isDirty,
  });
}
