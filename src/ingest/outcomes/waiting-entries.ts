import type { RejectionEntry } from '../../db/diagnostics/outcomes.ts';
import { FairRoom } from '../fair-room.ts';
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

/**
 * In memory, about 30 MB in all: a workspace alone has room for all entries of its day at once. Unproven ones have separate
 * room, so that nobody can take that of the others.
 */
const waitingMax = { proven: 2 * entriesPerDay, unproven: 2 * unprovenEntriesPerDay };
/** What a flush writes takes time that leads need, and its transaction must stay short. */
const perFlushMax = 3_000;

/**
 * Rejections that become entries with the next flushes. Nothing is pushed out by something new: what has no room is only
 * counted.
 *
 *   waiting   in order of arrival, proven ones first
 *   flushed   belong to the flush that is being written, however often it is tried
 */
export class WaitingEntries {
  readonly #proven = new Queue(waitingMax.proven);
  readonly #unproven = new Queue(waitingMax.unproven);
  #taken: readonly WaitingEntry[] = [];
  #flushed: readonly RejectionEntry[] = [];

  get isEmpty(): boolean {
    return this.#proven.waiting.length + this.#unproven.waiting.length === 0;
  }

  get flushed(): readonly RejectionEntry[] {
    return this.#flushed;
  }

  hasRoom(workspaceId: string, isProven: boolean): boolean {
    return this.#queueOf(isProven).room.hasRoom(workspaceId, 1);
  }

  add(entry: WaitingEntry): void {
    const { waiting, room } = this.#queueOf(entry.isProven);
    waiting.push(entry);
    room.add(entry.workspaceId, 1);
  }

  beginFlush(): void {
    const proven = this.#proven.waiting.splice(0, perFlushMax);
    this.#taken = [...proven, ...this.#unproven.waiting.splice(0, perFlushMax - proven.length)];
    this.#flushed = this.#taken;
  }

  endFlush(): void {
    for (const { isProven, workspaceId } of this.#taken) this.#queueOf(isProven).room.add(workspaceId, -1);
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

  #queueOf(isProven: boolean): Queue {
    return isProven ? this.#proven : this.#unproven;
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

/** Entries in order of arrival. */
class Queue {
  readonly waiting: WaitingEntry[] = [];
  readonly room: FairRoom;

  constructor(max: number) {
    this.room = new FairRoom(max);
  }
}
