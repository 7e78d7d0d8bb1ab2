import { useEffect } from 'react';
import type { ChangeEvent, WatchedPart } from '../../../src/contract/live/names.ts';
import { FetchAgain } from './fetch-again.ts';
import { holdWatch, leadWhenFree, type TabMessage } from './leading-tab.ts';

const pollMs = 5_000;
const newMs = 5_000;
// What senders change: it may have changed between what a new page has read and the start of the stream.
const changedBySenders: readonly WatchedPart[] = ['leads', 'tokens', 'diagnostics', 'held', 'deliveries'];

/** Keeps the pages of a workspace up to date while it is shown. */
export function useLive(workspaceId: string | undefined): void {
  useEffect(() => (workspaceId === undefined ? undefined : keepLive(workspaceId)), [workspaceId]);
}

/** Plain HTTP outside localhost has no locks, so every tab polls there. */
function canShare(): boolean {
  return 'locks' in navigator && 'BroadcastChannel' in window && 'TextDecoderStream' in window;
}

function keepLive(workspaceId: string): () => void {
  const fetchAgain = new FetchAgain(workspaceId);
  const poll = new Poll(() => document.hidden || fetchAgain.everything());
  const leaving = new AbortController();
  if (canShare()) follow(workspaceId, leaving.signal, fetchAgain, poll);
  else poll.set(true);
  return () => {
    leaving.abort();
    poll.set(false);
    fetchAgain.stop();
  };
}

function follow(workspaceId: string, left: AbortSignal, fetchAgain: FetchAgain, poll: Poll): void {
  const channel = new BroadcastChannel('leadgate live');
  const isNewUntil = Date.now() + newMs;
  const onEvent = ({ event, data }: ChangeEvent) => {
    if (event === 'me') fetchAgain.me();
    else if (event === 'changed' && data.workspace_id === workspaceId) fetchAgain.parts(data.changed);
    else if (event === 'in_step' && Date.now() < isNewUntil) fetchAgain.parts(changedBySenders);
    else if (event === 'in_step') fetchAgain.everything();
  };
  const onMessage = (message: TabMessage) => {
    if (message.kind === 'event') onEvent(message.event);
    else if (message.kind === 'polling') poll.set(message.isPolling);
  };
  // A channel does not pass messages to itself.
  const tellAll = (message: TabMessage) => {
    channel.postMessage(message);
    onMessage(message);
  };
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => onMessage(data));
  left.addEventListener('abort', () => channel.close());
  holdWatch(workspaceId, left, () => {
    channel.postMessage({ kind: 'watching' } satisfies TabMessage);
    channel.postMessage({ kind: 'hello' } satisfies TabMessage);
    leadWhenFree(channel, left, tellAll);
  });
}

class Poll {
  readonly #ask: () => unknown;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(ask: () => unknown) {
    this.#ask = ask;
  }

  set(isPolling: boolean): void {
    clearInterval(this.#timer);
    if (isPolling) this.#timer = setInterval(this.#ask, pollMs);
  }
}
