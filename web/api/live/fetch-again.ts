import { everyPart, type WatchedPart } from '../../../src/contract/live/names.ts';
import { meQuery } from '../queries.ts';
import { queryClient } from '../query-client.ts';
import { tellLeadsChanged } from './leads-changed.ts';
import { fetchParts } from './queries-of-parts.ts';

const pauseMs = 1_000;

/**
 * Fetches again what has changed and is on screen: at most once a second, and not while the tab is hidden. What is not on
 * screen is fetched when it is shown.
 */
export class FetchAgain {
  readonly #workspaceId: string;
  readonly #due = new Set<WatchedPart>();
  #lastAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId;
    document.addEventListener('visibilitychange', this.#goOn);
  }

  stop(): void {
    clearTimeout(this.#timer);
    document.removeEventListener('visibilitychange', this.#goOn);
  }

  parts(changed: readonly WatchedPart[]): void {
    for (const part of changed) this.#due.add(part);
    this.#goOn();
  }

  /** Immediately, because a hidden tab must learn too that a workspace is no longer theirs. */
  me(): void {
    void queryClient.invalidateQueries({ queryKey: meQuery.queryKey });
  }

  everything(): void {
    this.me();
    this.parts(everyPart);
  }

  readonly #goOn = (): void => {
    clearTimeout(this.#timer);
    if (document.hidden || this.#due.size === 0) return;
    const waitMs = this.#lastAt + pauseMs - Date.now();
    // A clock that was set back must not stop it.
    if (waitMs > 0 && waitMs <= pauseMs) this.#timer = setTimeout(this.#goOn, waitMs);
    else this.#fetch();
  };

  #fetch(): void {
    const parts = [...this.#due];
    this.#due.clear();
    this.#lastAt = Date.now();
    fetchParts(parts, this.#workspaceId);
    if (parts.includes('leads')) tellLeadsChanged(this.#workspaceId);
  }
}
