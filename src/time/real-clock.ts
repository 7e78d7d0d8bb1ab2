import type { Cancel, Clock, Loop, RepeatOptions, Work } from './clock.ts';
import { repeat } from './repeat.ts';

/** The time of the machine. */
export class RealClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      signal?.addEventListener('abort', wake);
    });
  }

  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }

  deadline(ms: number, onLate: () => void): Cancel {
    const timer = setTimeout(onLate, ms).unref();
    return () => clearTimeout(timer);
  }

  repeat(work: Work, options: RepeatOptions): Loop {
    return repeat(this, work, options);
  }
}

export const systemClock: Clock = new RealClock();
