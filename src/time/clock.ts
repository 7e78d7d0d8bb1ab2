/**
 * The time of the service. Whatever asks what time it is, measures how long something took, or waits, takes a Clock: so
 * that a test or a simulation owns its time, a day can pass in a millisecond, and nothing depends on how busy a machine is.
 * Of the service, only this folder knows Node's timers.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** By how much the machine's clock has leapt away from this one, while either may be right; only the real clock leaps. */
  readonly leapMs?: number;
  /** Milliseconds since some moment, for durations: nobody sets it. */
  monotonic(): number;
  /** Resolves after that time, or as soon as the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Resolves when everybody else on the event loop has had a turn. */
  turn(): Promise<void>;
  /** Calls `onLate` after that time, unless it was cancelled before. It does not keep the process from ending. */
  deadline(ms: number, onLate: () => void): Cancel;
  /** Does the work again and again, with pauses, until the loop is stopped or the work says `done`. */
  repeat(work: Work, options: RepeatOptions): Loop;
}

export type Cancel = () => void;

/** `stopping` is aborted when the loop is told to stop: long work ends early then. */
export type Work = (stopping: AbortSignal) => unknown;

export interface RepeatOptions {
  readonly pauseMs: number;
  /** Begin with the pause. */
  readonly pauseFirst?: boolean;
  /** Called for the first of several failures in a row: what fails twice a second is told once. */
  readonly onFailure?: (error: unknown) => void;
}

export interface Loop {
  /** Ends the pause at once, and resolves when the work under way has ended. */
  stop(): Promise<void>;
}

export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
