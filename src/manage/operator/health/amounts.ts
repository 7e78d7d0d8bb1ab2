import { dayMs, hourMs, minuteMs, secondMs } from '../../../time/clock.ts';

const whole = new Intl.NumberFormat('en-US');
const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** "1 lead", "2,000 leads" */
export function countText(count: number, noun: string): string {
  return `${whole.format(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Two digits are enough to judge by: 0.25, 3.1, 18, 240. */
export function rateText(value: number): string {
  return value >= 10 ? whole.format(Math.round(value)) : exact.format(value);
}

const durations: readonly (readonly [number, string, string])[] = [
  [dayMs, ' day', ' days'],
  [hourMs, ' hour', ' hours'],
  [minuteMs, ' min', ' min'],
  [secondMs, ' s', ' s'],
];

/** "4 days", "20 s": the largest unit only. */
export function durationText(ms: number): string {
  const [unitMs, one, many] = durations.find(([unit]) => ms >= unit) ?? [secondMs, ' s', ' s'];
  const count = Math.floor(ms / unitMs);
  return `${whole.format(count)}${count === 1 ? one : many}`;
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB', 'PB'];

/** "40 GB": as disks are sold, in steps of a thousand. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${rateText(bytes / 1000 ** step)} ${units[step]}`;
}
