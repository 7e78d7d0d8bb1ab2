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

/** Rate limits of this instance alone, for the time in which PostgreSQL cannot count for all of them. */
export class LocalRates {
  readonly #limits: RateLimits;
  readonly #windows = new Map<string, Windows>();

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  /** Counts one submission, or says which limit it is over. */
  take(workspace: string, surface: Surface, now: number): 'rate_limited_minute' | 'rate_limited_day' | null {
    const { minute, day } = this.#windowsOf(workspace + surface);
    restart(minute, now, minuteMs);
    restart(day, now, dayMs);
    if (minute.count >= this.#limits.perMinuteMax) return 'rate_limited_minute';
    if (day.count >= this.#limits.perDayMax) return 'rate_limited_day';
    minute.count++;
    day.count++;
    return null;
  }

  /** For a submission that could not be kept after all. */
  giveBack(workspace: string, surface: Surface): void {
    const { minute, day } = this.#windowsOf(workspace + surface);
    minute.count = Math.max(0, minute.count - 1);
    day.count = Math.max(0, day.count - 1);
  }

  #windowsOf(name: string): Windows {
    const known = this.#windows.get(name);
    if (known !== undefined) return known;
    // Only workspaces that exist get here, so this is a matter of principle.
    if (this.#windows.size >= trackedMax) this.#windows.clear();
    const windows = { minute: { startedAt: 0, count: 0 }, day: { startedAt: 0, count: 0 } };
    this.#windows.set(name, windows);
    return windows;
  }
}

/** A window opens with the first submission after the last one has run out, or after the clock was set back. */
function restart(window: Window, now: number, lengthMs: number): void {
  const isRunning = now < window.startedAt + lengthMs && now >= window.startedAt - lengthMs;
  if (isRunning && window.count > 0) return;
  window.startedAt = now;
  window.count = 0;
}
