import { minuteMs, secondMs } from '../../time/clock.ts';

const failuresMax = 5;
const windowMs = minuteMs;
const openMs = 30 * secondMs;
const hostsMax = 10_000;

interface HostState {
  failedAt: number[];
  /** 0 while closed. Past it, one request goes through to see whether the host is back. */
  openUntil: number;
}

/**
 * Closed: everything goes through. Open: nothing does, after several failures within a minute, or for as long as the
 * host has asked us to wait. Half open: one request goes through; it closes the breaker or opens it again.
 */
export class CircuitBreaker {
  readonly #hosts = new Map<string, HostState>();

  /** How long the host is to be left alone; 0 when it may be asked. */
  waitMs(host: string, now: number): number {
    const state = this.#hosts.get(host);
    if (state === undefined || state.openUntil === 0) return 0;
    if (state.openUntil > now) return state.openUntil - now;
    // Half open: whoever asked now is the one that goes through.
    state.openUntil = now + openMs;
    return 0;
  }

  succeeded(host: string): void {
    this.#hosts.delete(host);
  }

  /** `afterMs` is how long the host itself asked us to wait, if it did. */
  failed(host: string, now: number, afterMs: number | undefined): void {
    const state = this.#hosts.get(host) ?? { failedAt: [], openUntil: 0 };
    if (this.#hosts.size >= hostsMax) this.#hosts.clear();
    this.#hosts.set(host, state);
    state.failedAt = [...state.failedAt.filter((at) => at > now - windowMs), now];
    const isOpen = state.openUntil > 0 || state.failedAt.length >= failuresMax;
    if (isOpen) state.openUntil = now + openMs;
    if (afterMs !== undefined) state.openUntil = Math.max(state.openUntil, now + afterMs);
  }
}

/** At most so many at a time per host; the others wait in the order they came. */
export class HostLimits {
  readonly #hosts = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  async run<T>(host: string, atOnceMax: number, work: () => Promise<T>): Promise<T> {
    const state = this.#hosts.get(host) ?? { running: 0, waiting: [] };
    this.#hosts.set(host, state);
    // Whoever ends hands its place on, so the count stays.
    if (state.running >= atOnceMax) await new Promise<void>((resolve) => state.waiting.push(resolve));
    else state.running++;
    try {
      return await work();
    } finally {
      const next = state.waiting.shift();
      if (next !== undefined) next();
      else if (--state.running === 0) this.#hosts.delete(host);
    }
  }
}
