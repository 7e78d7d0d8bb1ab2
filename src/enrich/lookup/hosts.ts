import { minuteMs, secondMs } from '../../time/clock.ts';

const failuresMax = 5;
const windowMs = minuteMs;
const openMs = 30 * secondMs;
const hostsMax = 10_000;

interface HostState {
  failedAt: number[];
  /** 0 while closed. After this time, one request is let through to test the host. */
  openUntil: number;
}

/**
 * Closed: all requests pass. Open: none do, after several failures within a minute, or for as long as the host asked us
 * to wait. Half open: one request passes; it closes the breaker or opens it again.
 */
export class CircuitBreaker {
  readonly #hosts = new Map<string, HostState>();

  /** How long to leave the host alone; 0 if it may be asked. */
  waitMs(host: string, now: number): number {
    const state = this.#hosts.get(host);
    if (state === undefined || state.openUntil === 0) return 0;
    if (state.openUntil > now) return state.openUntil - now;
    // Half open: the current caller is the one let through.
    state.openUntil = now + openMs;
    return 0;
  }

  succeeded(host: string): void {
    this.#hosts.delete(host);
  }

  /** `afterMs` is how long the host asked us to wait, if it did. */
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

/** Limits parallel requests per host; the others wait in order. */
export class HostLimits {
  readonly #hosts = new Map<string, { running: number; readonly waiting: (() => void)[] }>();

  async run<T>(host: string, atOnceMax: number, work: () => Promise<T>): Promise<T> {
    const state = this.#hosts.get(host) ?? { running: 0, waiting: [] };
    this.#hosts.set(host, state);
    // A finished request passes its place on, so the count stays the same.
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
