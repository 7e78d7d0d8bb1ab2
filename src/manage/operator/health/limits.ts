import type { HealthStatement } from '../../../contract/operator/health.ts';
import { minuteMs, secondMs } from '../../../time/clock.ts';

export type State = HealthStatement['state'];

/** Where a fact becomes a warning or a problem. The alerts of packaging/prometheus-alerts.yaml use the same where both exist. */
export const limits = {
  commitP99Ms: { warning: 250, problem: 750 },
  queueLeads: { warning: 1_000, problem: 10_000 },
  spoolPart: { warning: 0, problem: 0.5 },
  directoryAgeMs: { warning: 5 * secondMs, problem: minuteMs },
  diskUsedPart: { warning: 0.85, problem: 0.95 },
  diskBytesAvailable: { warning: 1_073_741_824, problem: 104_857_600 },
  clockDifferenceMs: { warning: 2 * secondMs, problem: 30 * secondMs },
  enrichmentOldestMs: { warning: 5 * minuteMs, problem: Number.POSITIVE_INFINITY },
  enrichmentNoted: { warning: 1_000, problem: Number.POSITIVE_INFINITY },
} as const;

/** The worst state whose limit the value exceeds. */
export function stateAbove(value: number, { warning, problem }: { warning: number; problem: number }): State {
  if (value > problem) return 'problem';
  return value > warning ? 'warning' : 'ok';
}
