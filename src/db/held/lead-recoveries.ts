import { sql } from 'kysely';
import type pg from 'pg';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { Queryable } from '../pool.ts';
import { areLeads, isLead } from '../sharded.ts';
import { firstRow, run } from '../sql.ts';

/** A lead that was rejected first. */
export interface Recovery {
  readonly reason: RejectionReason;
  readonly admittedAt: Date;
  readonly admittedBy: string;
}

export async function findRecovery(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<Recovery | null> {
  return firstRow(
    db,
    sql<Recovery>`
      select reason, admitted_at as "admittedAt", admitted_by as "admittedBy" from lead_recoveries
      where ${isLead(workspaceId, submissionId)}`,
  );
}

export async function deleteRecoveries(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<void> {
  await run(client, sql`delete from lead_recoveries where ${areLeads(workspaceId, submissionIds)}`);
}
