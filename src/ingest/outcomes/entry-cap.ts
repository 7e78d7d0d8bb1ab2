import { minuteMs } from '../../time/clock.ts';

export const entriesPerReasonAndMinute = 20;

/** Limits the single rejections and notes per workspace, reason and minute: the rest of a flood is only counted. */
export class EntryCap {
  #minute = 0;
  #taken = new Map<string, number>();

  take(workspaceId: string, reason: string, at: number): boolean {
    const minute = Math.floor(at / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#taken = new Map();
    }
    const name = workspaceId + reason;
    const taken = this.#taken.get(name) ?? 0;
    if (taken >= entriesPerReasonAndMinute) return false;
    this.#taken.set(name, taken + 1);
    return true;
  }
}
