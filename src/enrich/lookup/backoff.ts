import { hourMs, minuteMs, secondMs } from '../../time/clock.ts';
import { systemRandomness } from '../../time/randomness.ts';

const delaysMs = [30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs];

export const attemptsMax = delaysMs.length + 1;

/** Less than the shortest delay, so that a retry asks anew, while leads that come until then share the bad news. */
export const retryKeptMs = 15 * secondMs;

/**
 * How long to wait after so many tries: longer and longer, spread over half of the time so that those who failed
 * together do not come back together, and never before the provider allows it.
 */
export function retryDelayMs(
  attempts: number,
  afterMs = 0,
  random: () => number = systemRandomness.fraction,
): number {
  const baseMs = delaysMs[Math.min(attempts, delaysMs.length) - 1] ?? 0;
  const delayMs = baseMs / 2 + (random() * baseMs) / 2;
  return Math.max(delayMs, afterMs * (1 + random() / 10));
}
