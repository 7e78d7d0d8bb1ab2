import type pg from 'pg';
import { confirmedQuery } from './durability.ts';
import type { StorableLead } from './ingest-commit.ts';

export type QuarantineReason = 'refused' | 'other_body';

export async function quarantineLead(
  pool: pg.Pool,
  lead: StorableLead,
  reason: QuarantineReason,
  at: Date,
): Promise<void> {
  await confirmedQuery(pool, {
    text: `insert into spool_quarantine (at, reason, workspace_id, submission_id, received_at, surface, body)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [
      at,
      reason,
      lead.workspaceId.toString('hex'),
      lead.submissionId,
      new Date(lead.receivedAt),
      lead.surface,
      lead.body,
    ],
  });
}
