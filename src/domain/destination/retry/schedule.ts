import { dayMs, hourMs, minuteMs, secondMs } from '../../../time/clock.ts';

/**
 * How long after the previous try each try follows: ten tries in 75.6 hours, as Standard Webhooks recommends. The first
 * is immediate.
 */
export const tryDelaysMs = [
  0,
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
] as const;
export const triesMax = tryDelaysMs.length;

/** Nobody can make us wait longer. */
const retryAfterMsMax = dayMs;

/** What a try came to. */
export interface AttemptOutcome {
  readonly meaning: ResponseMeaning;
  /** How long the receiver asks us to wait. */
  readonly retryAfterMs?: number | null | undefined;
}

/**
 * What a response means.
 *
 *   delivered   2xx
 *   gone        410: the receiver wants no more
 *   throttled   408, 409, 425, 429, 502, 504: it works, but not now
 *   refused     other 4xx. Retried like a failure, because receivers are often misconfigured for an hour
 *   redirected  3xx: never followed, because the new URL was not checked
 *   failed      anything else, and no response
 *
 * All but the first two are failures and are retried alike; they differ in what is shown.
 */
const responseMeanings = ['delivered', 'gone', 'throttled', 'refused', 'redirected', 'failed'] as const;
export type ResponseMeaning = (typeof responseMeanings)[number];

const throttling = new Set([408, 409, 425, 429, 502, 504]);

export function meaningOf(status: number | null): ResponseMeaning {
  if (status === null) return 'failed';
  if (status === 410) return 'gone';
  if (throttling.has(status)) return 'throttled';
  switch (Math.floor(status / 100)) {
    case 2:
      return 'delivered';
    case 3:
      return 'redirected';
    case 4:
      return 'refused';
    default:
      return 'failed';
  }
}

/**
 * What becomes of a delivery after a try.
 *
 *   pending ──2xx──▶ delivered
 *   pending ──failure, tries left──▶ pending, due at `at`
 *   pending ──failure, none left──▶ dead
 *   pending ──410──▶ dead, and the destination is disabled as `gone`
 */
export type Decision =
  | { readonly next: 'delivered' | 'dead' | 'gone' }
  | { readonly next: 'retry'; readonly at: Date };

export interface Moment {
  readonly now: Date;
  /** Random, from 0 up to 1, so that many deliveries that failed together are not retried together. */
  readonly fraction: number;
}

/** `attempts` counts this try. */
export function afterAttempt(attempts: number, outcome: AttemptOutcome, moment: Moment): Decision {
  const { meaning } = outcome;
  if (meaning === 'delivered' || meaning === 'gone') return { next: meaning };
  const delayMs = tryDelaysMs[attempts];
  if (delayMs === undefined) return { next: 'dead' };
  return { next: 'retry', at: later(moment, Math.max(spread(delayMs, moment), askedMs(outcome))) };
}

function askedMs({ retryAfterMs }: AttemptOutcome): number {
  return Math.min(Math.max(retryAfterMs ?? 0, 0), retryAfterMsMax);
}

/** Up to a tenth earlier or later. */
export function spread(delayMs: number, { fraction }: Moment): number {
  return delayMs * (0.9 + 0.2 * fraction);
}

export function later({ now }: Moment, delayMs: number): Date {
  return new Date(now.getTime() + Math.round(delayMs));
}
