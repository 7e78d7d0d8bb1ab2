import { duration } from '../diagnostics/duration.ts';
import { driftSeconds, isWithinTolerance, timestampToleranceSeconds } from '../signature.ts';
import { meantSeconds } from './variants/timestamps.ts';

export interface ClockView {
  readonly timestampSeconds: number;
  /** Positive if the sender's clock is ahead. */
  readonly driftSeconds: number;
  readonly toleranceSeconds: number;
  readonly isWithin: boolean;
  readonly text: string;
}

/** The sender's clock compared with ours, even if the timestamp is in another unit; null if it shows no time. */
export function clockView(timestamp: string, at: number): ClockView | null {
  const seconds = timestamp === '' ? null : meantSeconds(timestamp);
  if (seconds === null) return null;
  const drift = driftSeconds(seconds, at);
  return {
    timestampSeconds: seconds,
    driftSeconds: drift,
    toleranceSeconds: timestampToleranceSeconds,
    isWithin: isWithinTolerance(seconds, at),
    text: drift === 0 ? 'on time' : `${duration(Math.abs(drift))} ${drift > 0 ? 'ahead' : 'behind'}`,
  };
}
