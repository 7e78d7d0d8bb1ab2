import type { ReasonCount } from '../../contract/diagnostics.ts';
import { describeReason } from '../../domain/rejection.ts';

interface Counted {
  readonly count: number;
  readonly lastAt: Date;
}

/** A count with the text and fix of its reason. */
export function viewReasonCount(reason: string, { count, lastAt }: Counted): ReasonCount {
  return { ...describeReason(reason), count, last_at: lastAt.toISOString() };
}

export function mostFrequentFirst(a: ReasonCount, b: ReasonCount): number {
  return b.count - a.count || a.reason.localeCompare(b.reason);
}
