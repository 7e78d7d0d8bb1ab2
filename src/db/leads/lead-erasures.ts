import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import { run } from '../sql.ts';

export interface Erasure {
  readonly submissionId: string;
  readonly receivedAt: Date;
  readonly erasedAt: Date;
  readonly bodyHash: Buffer;
}

/** Until the end of the transaction, no copy of a body of this workspace can be stored. Take it before any other lock. */
export async function lockErasures(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`select lock_erasures(${workspaceId}, true)`);
}

/** Until the end of the transaction, no lead of this workspace can be erased. Take it before any other lock. */
export async function holdOffErasures(client: pg.PoolClient, workspaceId: string): Promise<void> {
  await run(client, sql`select lock_erasures(${workspaceId}, false)`);
}

/** Prevents copies from bringing the lead back; see migrations/0022_quarantine_and_erasures.sql. */
export async function insertErasure(
  client: pg.PoolClient,
  workspaceId: string,
  { submissionId, receivedAt, erasedAt, bodyHash }: Erasure,
): Promise<void> {
  await run(
    client,
    sql`
      insert into lead_erasures (shard, workspace_id, submission_id, received_at, erased_at, body_hash)
      values (${shardOf(workspaceId)}, ${workspaceId}, ${submissionId}, ${receivedAt}, ${erasedAt}, ${bodyHash})
      on conflict (shard, workspace_id, submission_id, received_at) do update
        set erased_at = excluded.erased_at, body_hash = excluded.body_hash`,
  );
}
