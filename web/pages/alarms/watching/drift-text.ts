import type { FormClockDrift } from '../../../../src/contract/alarms/watching.ts';
import { countText } from '../../../parts/numbers.ts';

/** Less is within what the way of a request takes. */
const exactSeconds = 2;
const secondsMax = 120;

const lengthText = (seconds: number) =>
  seconds <= secondsMax ? countText(seconds, 'second') : countText(Math.round(seconds / 60), 'minute');

/** What the sender's clock does, in a sentence. The difference is our time minus the signed time. */
export function driftText({ median_seconds, shape }: Pick<FormClockDrift, 'median_seconds' | 'shape'>) {
  if (shape === 'queue') return 'Some requests arrive late: a queue retries old requests.';
  const seconds = Math.round(median_seconds ?? 0);
  if (Math.abs(seconds) < exactSeconds) return "The sender's clock is right.";
  return `The sender's clock is ${lengthText(Math.abs(seconds))} ${seconds > 0 ? 'behind' : 'ahead'}.`;
}

/** "+12 s", "−3 s" */
export function secondsText(seconds: number): string {
  const rounded = Math.round(seconds);
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : ''}${Math.abs(rounded)} s`;
}
