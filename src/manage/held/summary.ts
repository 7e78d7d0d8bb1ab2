import type { HeldSummary } from '../../contract/held/held.ts';
import { countHeldByReason, countMissed, sumHeldBytes } from '../../db/held/held-counts.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { missedCountedDays } from '../../domain/held/held-bounds.ts';
import { dayMs } from '../../time/clock.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';

/** Counted by indexes: nothing is decrypted. */
export async function readSummary(
  { pool, clock, keepsRejected }: ManagementDeps,
  workspaceId: string,
  formId: string | undefined,
): Promise<HeldSummary> {
  const now = new Date(clock.now());
  const since = new Date(now.getTime() - (missedCountedDays - 1) * dayMs);
  const [workspace, reasons, bytes, missed] = await Promise.all([
    findWorkspace(pool, workspaceId),
    countHeldByReason(pool, workspaceId, formId, now),
    sumHeldBytes(pool, workspaceId, formId, now),
    countMissed(pool, workspaceId, since),
  ]);
  if (workspace === null) throw notFound('workspace');
  const sum = (part: 'count' | 'admissible' | 'verified') =>
    reasons.reduce((total, row) => total + row[part], 0);
  const next = reasons.map(({ nextExpiresAt }) => nextExpiresAt).toSorted((a, b) => Number(a) - Number(b))[0];
  return {
    held: sum('count'),
    bytes,
    not_kept: missed,
    admissible: sum('admissible'),
    verified: sum('verified'),
    next_expires_at: next?.toISOString() ?? null,
    kept_days: workspace.heldDays,
    is_off: !keepsRejected,
    by_reason: reasons.map(({ reason, count, admissible, lastAt }) => ({
      ...{ reason, count, admissible },
      last_at: lastAt?.toISOString() ?? null,
    })),
  };
}
