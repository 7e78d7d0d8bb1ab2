import type { RejectionEntry } from '../../db/diagnostics/outcomes.ts';
import {
  type EntryLimit,
  entriesPerDay,
  entriesPerReasonAndMinute,
  unprovenEntriesPerDay,
} from './entry-cap.ts';
import type { HostCaps, Wish } from './host-caps.ts';

export interface WaitingEntry extends RejectionEntry {
  readonly isProven: boolean;
  readonly limit: EntryLimit;
}

/** In memory, about 10 MB in all. Unproven ones have separate room, so that nobody can take that of the others. */
const waitingMax = { proven: 16_000, unproven: 8_000 };
/** What a flush writes takes time that leads need, and its transaction must stay short. */
const perFlushMax = 3_000;

/**
 * Rejections that become entries with the next flushes. Nothing is pushed out by something new: what has no room is only
 * counted. A workspace gets at most half of what the others leave, so there is always some left for the next one, however
 * long PostgreSQL is down.
 *
 *   waiting   in order of arrival, proven ones first
 *   flushed   belong to the flush that is being written, however often it is tried
 */
export class WaitingEntries {
  readonly #proven = new Room(waitingMax.proven);
  readonly #unproven = new Room(waitingMax.unproven);
  #taken: readonly WaitingEntry[] = [];
  #flushed: readonly RejectionEntry[] = [];

  get isEmpty(): boolean {
    return this.#proven.waiting.length + this.#unproven.waiting.length === 0;
  }

  get flushed(): readonly RejectionEntry[] {
    return this.#flushed;
  }

  hasRoom(workspaceId: string, isProven: boolean): boolean {
    return (isProven ? this.#proven : this.#unproven).hasRoom(workspaceId);
  }

  add(entry: WaitingEntry): void {
    (entry.isProven ? this.#proven : this.#unproven).add(entry);
  }

  beginFlush(): void {
    const proven = this.#proven.waiting.splice(0, perFlushMax);
    this.#taken = [...proven, ...this.#unproven.waiting.splice(0, perFlushMax - proven.length)];
    this.#flushed = this.#taken;
  }

  endFlush(): void {
    for (const entry of this.#taken) (entry.isProven ? this.#proven : this.#unproven).release(entry);
    this.#taken = [];
    this.#flushed = [];
  }

  /** Drops what exceeds the limits of the host together with what other workers have written. */
  async keepWithinCaps({ ask, claim }: HostCaps): Promise<void> {
    const { day = [], minute = [] } = Object.groupBy(this.#taken, ({ limit }) => limit);
    const ofDay = [
      ...Map.groupBy(
        day,
        ({ workspaceId, isProven, at }) => `${workspaceId} ${isProven} ${dayOf(at)}`,
      ).values(),
    ];
    const granted = await claim(ofDay.map((same) => [dayWish(same[0] as WaitingEntry), same.length]));
    const refused = ofDay.flatMap((same, place) => same.slice(granted[place]));
    const beyond = [...minute, ...firstOfMinutes(refused)];
    const isAllowed = await ask(
      beyond.map(({ workspaceId, reason, at }) => minuteWish(workspaceId, reason, at)),
    );
    this.#flushed = [
      ...ofDay.flatMap((same, place) => same.slice(0, granted[place])),
      ...beyond.filter((_, place) => isAllowed[place]),
    ];
  }
}

/** For entries of a day whose host has no more, as many as there may be beyond. */
function firstOfMinutes(entries: readonly WaitingEntry[]): WaitingEntry[] {
  const names = Map.groupBy(entries, ({ workspaceId, reason, at }) => minuteName(workspaceId, reason, at));
  return [...names.values()].flatMap((same) => same.slice(0, entriesPerReasonAndMinute));
}

function dayWish({ workspaceId, isProven, at }: WaitingEntry): Wish {
  const name = `${workspaceId} ${dayOf(at)}`;
  const all = [name, entriesPerDay] as const;
  return isProven ? [all] : [all, [`${name} unproven`, unprovenEntriesPerDay]];
}

export function minuteWish(workspaceId: string, reason: string, at: string): Wish {
  return [[minuteName(workspaceId, reason, at), entriesPerReasonAndMinute]];
}

function minuteName(workspaceId: string, reason: string, at: string): string {
  return `${workspaceId} ${reason} ${at.slice(0, 'YYYY-MM-DDTHH:MM'.length)}`;
}

function dayOf(at: string): string {
  return at.slice(0, 'YYYY-MM-DD'.length);
}

class Room {
  readonly waiting: WaitingEntry[] = [];
  readonly #max: number;
  readonly #ofWorkspaces = new Map<string, number>();
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  hasRoom(workspaceId: string): boolean {
    const own = this.#ofWorkspaces.get(workspaceId) ?? 0;
    return own < (this.#max - (this.#count - own)) / 2;
  }

  add(entry: WaitingEntry): void {
    this.waiting.push(entry);
    this.#count++;
    this.#ofWorkspaces.set(entry.workspaceId, (this.#ofWorkspaces.get(entry.workspaceId) ?? 0) + 1);
  }

  release({ workspaceId }: WaitingEntry): void {
    this.#count--;
    const own = (this.#ofWorkspaces.get(workspaceId) ?? 0) - 1;
    if (own > 0) this.#ofWorkspaces.set(workspaceId, own);
    else this.#ofWorkspaces.delete(workspaceId);
  }
}
