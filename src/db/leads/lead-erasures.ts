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

/** Prevents copies from bringing the leads back; see migrations/0022_quarantine_and_erasures.sql. */
export async function insertErasures(
  client: pg.PoolClient,
  workspaceId: string,
  erasures: readonly Erasure[],
): Promise<void> {
  const ids = erasures.map(({ submissionId }) => submissionId);
  const received = erasures.map(({ receivedAt }) => receivedAt.getTime());
  const erased = erasures.map(({ erasedAt }) => erasedAt.getTime());
  const hashes = erasures.map(({ bodyHash }) => bodyHash);
  // Not a row of parameters for each, nor times as text: to write thousands of them would hold up senders.
  await run(
    client,
    sql`
      insert into lead_erasures (shard, workspace_id, submission_id, received_at, erased_at, body_hash)
      select ${shardOf(workspaceId)}::smallint, ${workspaceId}::uuid, e.submission_id,
        to_timestamp(e.received_ms / 1000.0), to_timestamp(e.erased_ms / 1000.0), e.body_hash
      from unnest(${ids}::uuid[], ${received}::bigint[], ${erased}::bigint[], ${hashes}::bytea[])
        as e (submission_id, received_ms, erased_ms, body_hash)
      on conflict (shard, workspace_id, submission_id, received_at) do update
        set erased_at = excluded.erased_at, body_hash = excluded.body_hash`,
  );
}
