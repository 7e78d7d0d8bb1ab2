import { setTimeout as sleep } from 'node:timers/promises';
import { type FeedEvent, latestEvent, waitSecondsMax } from '../../contract/destinations/events.ts';
import type { Api } from '../api.ts';
import type { Output } from '../output.ts';
import { untilReachable } from '../patience.ts';

interface FeedOptions {
  /** Where to start; without it, with the oldest event kept. */
  readonly after?: string | undefined;
  /** Waits for new events instead of stopping after the last one. */
  readonly isFollowing: boolean;
}

const pauseMs = 1_000;

/** The events of a workspace, page by page, oldest first. Survives a restart of the service. */
export async function* eventPages(
  api: Api,
  out: Output,
  workspaceId: string,
  { after, isFollowing }: FeedOptions,
): AsyncGenerator<readonly FeedEvent[]> {
  const wait = isFollowing ? waitSecondsMax : 0;
  for (let cursor = after; ; ) {
    const startMs = performance.now();
    const query = { after: cursor, wait };
    const page = await untilReachable(
      () =>
        api.call('GET', '/workspaces/:workspace_id/events', { params: { workspace_id: workspaceId }, query }),
      out,
      { pauseMs },
    );
    if (page.items.length > 0) yield page.items;
    else if (!isFollowing) return;
    // A service that stops does not let anyone wait.
    else if (performance.now() - startMs < pauseMs) await sleep(pauseMs);
    cursor = page.next_cursor;
  }
}

/** Where the feed continues with what happens from now on. */
export async function newestCursor(api: Api, workspaceId: string): Promise<string> {
  const { next_cursor } = await api.call('GET', '/workspaces/:workspace_id/events', {
    params: { workspace_id: workspaceId },
    query: { after: latestEvent, limit: 1 },
  });
  return next_cursor;
}
