import { useEffect, useEffectEvent } from 'react';

const listeners = new Map<string, Set<() => void>>();

export function hasLeadsListener(workspaceId: string): boolean {
  return listeners.has(workspaceId);
}

/** Tells the lead list of a workspace, if it is on screen. */
export function tellLeadsChanged(workspaceId: string): void {
  for (const listener of listeners.get(workspaceId) ?? []) listener();
}

/**
 * Calls `onChanged` when leads of the workspace were added, marked, erased or enriched: at most once a second, and not while the tab
 * is hidden. The loaded pages of a lead list are not fetched again by themselves, because there may be dozens: the list decides.
 */
export function useLeadsChanged(workspaceId: string, onChanged: () => void): void {
  const tell = useEffectEvent(onChanged);
  useEffect(() => {
    const listener = () => tell();
    const ofWorkspace = listeners.get(workspaceId) ?? new Set();
    listeners.set(workspaceId, ofWorkspace.add(listener));
    return () => {
      ofWorkspace.delete(listener);
      if (ofWorkspace.size === 0) listeners.delete(workspaceId);
    };
  }, [workspaceId]);
}
