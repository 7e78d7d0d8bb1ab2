import type { RateLimits } from '../../domain/rate-window.ts';
import type { Surface } from '../../domain/surface.ts';
import { dayMs, minuteMs } from '../../time/clock.ts';

interface Window {
  startedAt: number;
  count: number;
}

interface Windows {
  readonly minute: Window;
  readonly day: Window;
}

const trackedMax = 100_000;

export type RateLimitReason = 'rate_limited_minute' | 'rate_limited_day';

/** The rate limits of this host alone, used while PostgreSQL cannot count for all instances. */
export class LocalRates {
  readonly #limits: RateLimits;
  readonly #windows = new Map<string, Windows>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /** Counts one submission, or returns the limit that it exceeds. */
  take(workspace: string, surface: Surface, now: number): RateLimitReason | null {
    const { minute, day } = this.#windowsOf(workspace + surface);
    restart(minute, now, minuteMs);
    restart(day, now, dayMs);
    if (minute.count >= this.#limits.perMinuteMax) return 'rate_limited_minute';
    if (day.count >= this.#limits.perDayMax) return 'rate_limited_day';
    minute.count++;
    day.count++;
    return null;
  }

  /** Undoes `take` for a submission that could not be stored. */
  giveBack(workspace: string, surface: Surface): void {
    const { minute, day } = this.#windowsOf(workspace + surface);
    minute.count = Math.max(0, minute.count - 1);
    day.count = Math.max(0, day.count - 1);
  }

  #windowsOf(name: string): Windows {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    // A safeguard: only existing workspaces get here, so it should never be reached.
    if (this.#windows.size >= trackedMax) this.#windows.clear();
    const windows = { minute: { startedAt: 0, count: 0 }, day: { startedAt: 0, count: 0 } };
    this.#windows.set(name, windows);
    return windows;
  }
}

/** A window starts with the first submission after the previous window has ended or the clock was set back. */
function restart(window: Window, now: number, lengthMs: number): void {
  const isRunning = now < window.startedAt + lengthMs && now >= window.startedAt - lengthMs;
  if (isRunning && window.count > 0) return;
  window.startedAt = now;
  window.count = 0;
}
