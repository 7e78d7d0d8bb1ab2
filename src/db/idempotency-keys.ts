import { shardOf } from '../domain/workspace.ts';
import type { Queryable } from './pool.ts';

export interface LivingKey {
  readonly submissionId: string;
  readonly bodyHash: Buffer;
}

export async function findLivingKey(
  db: Queryable,
  workspaceId: string,
  keyHash: Buffer,
  now: number,
): Promise<LivingKey | null> {
  const { rows } = await db.query(
    `select submission_id as "submissionId", body_hash as "bodyHash" from idempotency_keys
     where shard = $1 and workspace_id = $2 and key_hash = $3 and expires_at > $4`,
    [shardOf(workspaceId), workspaceId, keyHash, new Date(now)],
  );
  return rows[0] ?? null;
}
