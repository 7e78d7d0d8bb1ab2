import { useBlocker } from '@tanstack/react-router';

/** Asks before unsaved work is left: by a link, by the back button, or by closing the window. */
export function useUnsavedGuard(isDirty: boolean): void {
  useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isDirty && current.pathname !== next.pathname && !window.confirm('Leave without saving your changes?'),
    enableBeforeUnload: isDirty,
  });
}
