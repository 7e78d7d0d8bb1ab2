import type { Attempt } from '../load/order.ts';
import { figuresOf } from './figures.ts';

/** A part of the run, and which leads no fault in it should affect. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly isUnaffected: (attempt: Attempt) => boolean;
  /** Whether an instance may find a node unavailable because of this fault, both by their ports. */
  readonly mayOpen: (node: number, instance: number) => boolean;
}

export interface Comparison {
  /** How many leads of unaffected senders there were during faults. */
  readonly leads: number;
  readonly quietP99Ms: number;
  readonly p99Ms: number;
  /** Fraction of these leads that got a 202. */
  readonly acceptedShare: number;
}

/** How long unaffected senders waited during faults, compared with the quiet part of the same run. */
export function compareBystanders(
  attempts: readonly Attempt[],
  quiet: Span,
  faults: readonly Span[],
): Comparison {
  const within = (spans: readonly Span[]) =>
    figuresOf(attempts.filter((attempt) => attempt.isValid && spans.some((span) => isWithin(attempt, span))));
  const during = within(faults);
  return {
    leads: during.attempts,
    quietP99Ms: within([quiet]).p99Ms,
    p99Ms: during.p99Ms,
    acceptedShare: during.acceptedShare,
  };
}

function isWithin(attempt: Attempt, { from, to, isUnaffected }: Span): boolean {
  return attempt.sentAt >= from && attempt.sentAt <= to && isUnaffected(attempt);
}
