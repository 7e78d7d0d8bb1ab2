import { dayMs, minuteMs } from '../../time/clock.ts';

/** Entries of a workspace and UTC day, … */
export const entriesPerDay = 20_000;
/** … of which those without proof of their sender: anyone can cause them. */
export const unprovenEntriesPerDay = 10_000;
/** Beyond these, and notes. */
export const entriesPerReasonAndMinute = 20;

/** Which limit an entry counts in. */
export type EntryLimit = 'day' | 'minute';

/** Limits the single rejections and notes of a workspace in this process: the rest of a flood is only counted. */
export class EntryCap {
  #day = 0;
  #ofDay = new Map<string, { all: number; unproven: number }>();
  #minute = 0;
  #ofMinute = new Map<string, number>();

  /** Null if it is only counted. */
  take(workspaceId: string, reason: string, isProven: boolean, at: number): EntryLimit | null {
    if (this.#takeOfDay(workspaceId, isProven, at)) return 'day';
    return this.takeOfMinute(workspaceId, reason, at) ? 'minute' : null;
  }

  takeOfMinute(workspaceId: string, reason: string, at: number): boolean {
    const minute = Math.floor(at / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#ofMinute = new Map();
    }
    const name = workspaceId + reason;
    const taken = this.#ofMinute.get(name) ?? 0;
    if (taken >= entriesPerReasonAndMinute) return false;
    this.#ofMinute.set(name, taken + 1);
    return true;
  }

  #takeOfDay(workspaceId: string, isProven: boolean, at: number): boolean {
    const day = Math.floor(at / dayMs);
    // A request that arrived before midnight may be rejected after it.
    if (day > this.#day) {
      this.#day = day;
      this.#ofDay = new Map();
    }
    const taken = this.#ofDay.get(workspaceId);
    if (taken === undefined) {
      this.#ofDay.set(workspaceId, { all: 1, unproven: isProven ? 0 : 1 });
      return true;
    }
    if (taken.all >= entriesPerDay || (!isProven && taken.unproven >= unprovenEntriesPerDay)) return false;
    taken.all++;
    if (!isProven) taken.unproven++;
    return true;
  }
}
