import type { Cancel, Clock, Loop, RepeatOptions, Work } from './clock.ts';
import { pause, repeat } from './repeat.ts';

interface Alarm {
  readonly at: number;
  /** Order among alarms of the same moment. */
  readonly order: number;
  readonly ring: () => void;
  isCancelled: boolean;
}

/**
 * Time that jumps from one alarm to the next, without waiting. Alarms of the same moment ring in the order of `orderOf`,
 * by default first come, first served.
 */
export class SimulatedClock implements Clock {
  #startedAt: number;
  readonly #alarms = new AlarmQueue();
  readonly #orderOf: () => number;
  #elapsed = 0;

  constructor(now: number, orderOf?: () => number) {
    let count = 0;
    this.#startedAt = now;
    this.#orderOf = orderOf ?? (() => count++);
  }

  now(): number {
    return Math.floor(this.#startedAt + this.#elapsed);
  }

  monotonic(): number {
    return this.#elapsed;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return pause(this, ms, signal);
  }

  turn(): Promise<void> {
    return this.sleep(0);
  }

  deadline(ms: number, onLate: () => void): Cancel {
    const at = this.#elapsed + Math.max(0, ms);
    const alarm = { at, order: this.#orderOf(), ring: onLate, isCancelled: false };
    this.#alarms.add(alarm);
    return () => {
      alarm.isCancelled = true;
    };
  }

  repeat(work: Work, options: RepeatOptions): Loop {
    return repeat(this, work, options);
  }

  /** Moves the date without ringing alarms, as if the machine had slept. */
  leap(ms: number): void {
    this.#startedAt += ms;
  }

  /** Jumps to the next alarm; false when there is none before `until` (on the monotonic scale). */
  step(until = Number.POSITIVE_INFINITY): boolean {
    const alarm = this.#alarms.takeBefore(until);
    if (alarm === null) return false;
    this.#elapsed = Math.max(this.#elapsed, alarm.at);
    alarm.ring();
    return true;
  }

  /** Lets time pass and rings every alarm on the way, each after the effects of the one before. */
  async advance(ms: number): Promise<void> {
    const until = this.#elapsed + ms;
    await othersDone();
    while (this.step(until)) await othersDone();
    this.#elapsed = until;
  }
}

/** Resolves when every promise that does not wait for time has settled. */
export function othersDone(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A binary heap: the alarm that rings next is at the top. */
class AlarmQueue {
  readonly #heap: Alarm[] = [];

  add(alarm: Alarm): void {
    const heap = this.#heap;
    let place = heap.push(alarm) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      if (!isBefore(alarm, heap[above] as Alarm)) break;
      heap[place] = heap[above] as Alarm;
      place = above;
    }
    heap[place] = alarm;
  }

  takeBefore(until: number): Alarm | null {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (!first.isCancelled && first.at > until) return null;
      this.#removeFirst();
      if (!first.isCancelled) return first;
    }
    return null;
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop() as Alarm;
    if (heap.length === 0) return;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Alarm, heap[below] as Alarm)) below++;
      if (!isBefore(heap[below] as Alarm, last)) break;
      heap[place] = heap[below] as Alarm;
      place = below;
    }
    heap[place] = last;
  }
}

function isBefore(a: Alarm, b: Alarm): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
