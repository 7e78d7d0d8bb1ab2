import type { Attempt } from '../load/order.ts';

/** What the senders saw, in numbers. */
export interface Figures {
  readonly attempts: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly none: number;
  /** Why attempts got no response, with the number of each. */
  readonly silences: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Fraction of the attempts with valid credentials that got a 202. */
  readonly acceptedShare: number;
}

export function figuresOf(attempts: readonly Attempt[]): Figures {
  const count = (outcome: Attempt['outcome']) => attempts.filter((each) => each.outcome === outcome).length;
  const valid = attempts.filter(({ isValid }) => isValid);
  const accepted = valid.filter(({ outcome }) => outcome === '202');
  const latencies = accepted.map(({ latencyMs }) => latencyMs).sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
  return {
    attempts: attempts.length,
    accepted: count('202'),
    rejected: count('200'),
    none: count('none'),
    silences: silencesOf(attempts),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs: at(1),
    acceptedShare: valid.length === 0 ? 1 : accepted.length / valid.length,
  };
}

function silencesOf(attempts: readonly Attempt[]): string[] {
  const silent = attempts.filter(({ outcome }) => outcome === 'none');
  // The address and port after the code of an error make no difference.
  const byReason = Map.groupBy(silent, ({ fault }) => (fault ?? '').replace(/(?<=\bE[A-Z]+) .*$/, ''));
  return [...byReason].map(([reason, { length }]) => `${length} × ${reason}`);
}
