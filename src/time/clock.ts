/**
 * The time of the service. Code that reads the time, measures a duration or waits takes a Clock, so that a test or a
 * simulation controls time, a day can pass in a millisecond, and nothing depends on how busy the machine is. Only this
 * folder uses Node's timers.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** How far the machine's clock has jumped while this clock does not follow it. */
  readonly leapMs?: number;
  /** Milliseconds since an arbitrary moment, for durations. Never set back. */
  monotonic(): number;
  /** Resolves after that time, or as soon as the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when everything else on the event loop has had a turn. */
  turn(): Promise<void>;
  /** Calls `onLate` after that time unless cancelled. Does not keep the process alive. */
  deadline(ms: number, onLate: () => void): Cancel;
  /** Repeats the work, with pauses, until the loop is stopped or the work returns `done`. */
  repeat(work: Work, options: RepeatOptions): Loop;
}

export type Cancel = () => void;

/** `stopping` is aborted when the loop stops, so that long work can end early. */
export type Work = (stopping: AbortSignal) => unknown;

export interface RepeatOptions {
  readonly pauseMs: number;
  /** Begin with the pause. */
  readonly pauseFirst?: boolean;
  /** Called only for the first of several failures in a row. */
  readonly onFailure?: (error: unknown) => void;
}

export interface Loop {
  /** Ends the pause immediately, and resolves when work in progress has ended. */
  stop(): Promise<void>;
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** The day in UTC: `2026-11-15`. */
export function utcDay(at: number): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
