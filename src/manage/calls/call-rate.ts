import { minuteMs } from '../../time/clock.ts';

/** Limits how often an expensive call may be made per key. Per instance, because it protects the instance. */
export class CallRate {
  readonly #callsPerMinute: number;
  #minute = 0;
  #calls = new Map<string, number>();

  constructor(callsPerMinute: number) {
    this.#callsPerMinute = callsPerMinute;
  }

  take(key: string, now: number): boolean {
    const minute = Math.floor(now / minuteMs);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#calls = new Map();
    }
    const calls = this.#calls.get(key) ?? 0;
    if (calls >= this.#callsPerMinute) return false;
    this.#calls.set(key, calls + 1);
    return true;
  }
}
