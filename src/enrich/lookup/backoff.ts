import { hourMs, minuteMs, secondMs } from '../../time/clock.ts';
import { systemRandomness } from '../../time/randomness.ts';

const delaysMs = [30 * secondMs, 2 * minuteMs, 10 * minuteMs, hourMs, 6 * hourMs];

export const attemptsMax = delaysMs.length + 1;

/** Shorter than the shortest delay, so that a retry asks again, while leads that come in earlier share the failure. */
export const retryKeptMs = 15 * secondMs;

/**
 * The delay after a number of attempts: exponential, with up to half of it random so that lookups that failed together
 * do not retry together, and never shorter than the provider asks for.
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
