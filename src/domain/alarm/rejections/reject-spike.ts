import { hourMs, minuteMs } from '../../../time/clock.ts';
import { negativeBinomialTail } from '../negative-binomial.ts';

export const spikeMinutes = 10;
/** What is usual is learnt from the same hour of the day on so many days. */
export const spikeDays = 14;
const rejectedMin = 5;
const probabilityMax = 1e-6;
const quietMs = 30 * minuteMs;
const acceptedToClose = 20;

/** Within the minutes of a spike. */
export interface SpikeCounts {
  readonly rejected: number;
  readonly accepted: number;
}

/** At least a fifth is rejected. Only then is it worth knowing what is usual. */
export function mayBeSpike({ rejected, accepted }: SpikeCounts): boolean {
  return rejected >= rejectedMin && rejected * 5 >= rejected + accepted;
}

/** How many are usual within the minutes of a spike, if so many were rejected in that hour of all those days. */
export function usualRejected(rejectedInHours: number): number {
  return ((rejectedInHours + 0.5) / (spikeDays * 60)) * spikeMinutes;
}

export function isSpike(counts: SpikeCounts, usual: number): boolean {
  return mayBeSpike(counts) && isUnlikely(counts.rejected, usual);
}

export function isUnlikely(rejected: number, usual: number): boolean {
  return negativeBinomialTail(rejected, usual) < probabilityMax;
}

/** The hour of the day in which the middle of the window is. */
export function spikeHour(now: Date): Date {
  const middle = now.getTime() - (spikeMinutes / 2) * minuteMs;
  return new Date(Math.floor(middle / hourMs) * hourMs);
}

/** Whether it is still as bad as half of the worst. */
export function isStillSpike(rejected: number, worst: number): boolean {
  return rejected > 0 && rejected * 2 >= worst;
}

/** `windows`: the same source over several times up to now. `lastAt`: when it was last as bad as half of the worst. */
export function isSpikeOver(windows: readonly SpikeCounts[], lastAt: Date, now: Date): boolean {
  const hasRecovered = windows.some(
    ({ rejected, accepted }) => rejected === 0 && accepted >= acceptedToClose,
  );
  return hasRecovered || now.getTime() - lastAt.getTime() >= quietMs;
}
