import type { ChangeEvent } from '../../../src/contract/live/names.ts';
import { connection } from '../connection.ts';
import { readChanges, type StreamEnd } from './change-stream.ts';

/** What tabs tell one another. */
export type TabMessage =
  | { readonly kind: 'event'; readonly event: ChangeEvent }
  /** Nothing comes from the service, so each tab has to ask. */
  | { readonly kind: 'polling'; readonly isPolling: boolean }
  /** A tab shows another workspace. */
  | { readonly kind: 'watching' }
  /** A tab is new, and has not heard whether it has to poll. */
  | { readonly kind: 'hello' };

const leaderLock = 'leadgate live';
const watchLock = 'leadgate watches ';
const workspacesMax = 20;
const retryMs = [1_000, 2_000, 5_000, 10_000, 30_000];
const signInCheckMs = 5_000;
const failuresMax = 2;

/**
 * Keeps a lock for as long as the tab shows the workspace: the browser releases it with the tab, so the leading tab always finds
 * exactly the workspaces that are shown.
 */
export function holdWatch(workspaceId: string, signal: AbortSignal, onHeld: () => void): void {
  hold(watchLock + workspaceId, 'shared', signal, onHeld);
}

async function watchedWorkspaces(): Promise<readonly string[]> {
  const { held = [] } = await navigator.locks.query();
  const names = held.map(({ name = '' }) => name).filter((name) => name.startsWith(watchLock));
  return [...new Set(names.map((name) => name.slice(watchLock.length)))].toSorted().slice(0, workspacesMax);
}

/**
 * Of all tabs of a browser, one reads the stream and passes its events on, because a browser opens only six connections to a
 * host and every stream takes one. A tab
 *
 * waits   for the lock of the leader
 * leads   once it has it: reads the stream, again and again, until the tab closes and the next one leads
 */
export function leadWhenFree(
  channel: BroadcastChannel,
  signal: AbortSignal,
  tellAll: (message: TabMessage) => void,
): void {
  hold(leaderLock, 'exclusive', signal, () => void lead(channel, signal, tellAll));
}

async function lead(
  channel: BroadcastChannel,
  signal: AbortSignal,
  tellAll: (message: TabMessage) => void,
): Promise<void> {
  let failures = 0;
  let isPolling = false;
  const setPolling = (now: boolean) => {
    isPolling = now;
    tellAll({ kind: 'polling', isPolling });
  };
  const answer = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'hello') setPolling(isPolling);
  };
  channel.addEventListener('message', answer);
  const onEvent = (event: ChangeEvent) => {
    failures = 0;
    if (isPolling) setPolling(false);
    tellAll({ kind: 'event', event });
  };
  while (!signal.aborted) {
    const end = await readWhileWatched(channel, signal, onEvent).catch(() => 'refused' as const);
    if (end === 'rewatched' || signal.aborted) continue;
    // A tab may show a workspace that is no longer theirs.
    if (end === 'refused' && failures === 0) tellAll({ kind: 'event', event: { event: 'me', data: {} } });
    // Each page finds out by its own calls, and asks the person to sign in.
    if (end === 'signed out' && failures === 0)
      tellAll({ kind: 'event', event: { event: 'in_step', data: {} } });
    if (end === 'offline') void connection.check();
    failures++;
    const isKeptBack = end === 'refused' || end === 'silent';
    if (isKeptBack && failures >= failuresMax && !isPolling) setPolling(true);
    const waitMs =
      end === 'signed out' ? signInCheckMs : (retryMs[failures - 1] ?? (retryMs.at(-1) as number));
    await pause(waitMs * (0.8 + 0.4 * Math.random()), signal);
  }
  channel.removeEventListener('message', answer);
}

/** Stops early when other workspaces are watched. */
async function readWhileWatched(
  channel: BroadcastChannel,
  signal: AbortSignal,
  onEvent: (event: ChangeEvent) => void,
): Promise<StreamEnd | 'rewatched'> {
  const reading = new AbortController();
  const stop = () => reading.abort();
  let watched: readonly string[] = [];
  let isRewatched = false;
  const look = async ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind !== 'watching' || String(await watchedWorkspaces()) === String(watched)) return;
    isRewatched = true;
    stop();
  };
  signal.addEventListener('abort', stop);
  channel.addEventListener('message', look);
  try {
    // After the listener is there, so that no message is missed.
    watched = await watchedWorkspaces();
    const end = await readChanges(watched, reading.signal, onEvent);
    return isRewatched ? 'rewatched' : end;
  } finally {
    signal.removeEventListener('abort', stop);
    channel.removeEventListener('message', look);
  }
}

function hold(name: string, mode: LockMode, signal: AbortSignal, onHeld: () => void): void {
  const held = async () => {
    onHeld();
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };
  // Rejects when the signal is aborted while it waits.
  navigator.locks.request(name, { mode, signal }, held).catch(() => {});
}

/** Ends early when the tab leaves, and when the service responds again after an outage. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    const unsubscribe = connection.subscribe(() => {
      if (connection.current().outage === null) end();
    });
    signal.addEventListener('abort', end);
  });
}
