import type { Logger } from 'pino';
import type { MintCountPart } from '../../db/browser/mint-counts.ts';
import { shardOf } from '../../domain/workspace.ts';
import { type Clock, hourMs } from '../../time/clock.ts';
import type { Randomness } from '../../time/randomness.ts';
import { allowsOrigin } from '../directory/browser-entry.ts';
import type { FormEntry } from '../directory/directory.ts';
import type { BrowserCounts } from './browser-counts.ts';
import { FlushedMintCounts } from './flushed-mint-counts.ts';

export interface MintCountsDeps {
  readonly partOf: (shard: number) => MintCountPart;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Logger;
}

/** A wildcard allows any number of origins, and anyone can make them up. */
const wildcardOriginsPerFormMax = 100;

/** Counts in memory and writes once a second, one part of a cluster apart from another. */
export class MintCounts implements BrowserCounts {
  readonly #deps: MintCountsDeps;
  readonly #parts = new Map<MintCountPart, FlushedMintCounts>();
  #hour = 0;
  #seenOrigins = new Map<string, Set<string>>();
  #isStarted = false;

  constructor(deps: MintCountsDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#isStarted = true;
    for (const part of this.#parts.values()) part.start();
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.stop()));
  }

  count(form: FormEntry, origin: string, step: string, at: number): void {
    this.#partOf(form.workspaceId).count(form, this.#shown(form, origin, at), step, at);
  }

  #shown({ id, browser }: FormEntry, origin: string, at: number): string {
    if (origin === '' || browser === null || !allowsOrigin(browser, origin, at)) return '';
    if (browser.origins.exact.has(origin)) return origin;
    const hour = Math.floor(at / hourMs);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#seenOrigins = new Map();
    }
    const seen = this.#seenOrigins.get(id) ?? new Set();
    if (!seen.has(origin) && seen.size >= wildcardOriginsPerFormMax) return '';
    this.#seenOrigins.set(id, seen.add(origin));
    return origin;
  }

  #partOf(workspaceId: string): FlushedMintCounts {
    const { partOf, clock, log, randomness } = this.#deps;
    const part = partOf(shardOf(workspaceId));
    const known = this.#parts.get(part);
    if (known !== undefined) return known;
    const counts = new FlushedMintCounts({ part, instanceId: randomness.uuid(), clock, log });
    this.#parts.set(part, counts);
    if (this.#isStarted) counts.start();
    return counts;
  }
}
