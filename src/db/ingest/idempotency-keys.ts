import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import { confirmedQuery } from '../durability.ts';

export interface LivingKey {
  readonly submissionId: string;
  readonly bodyHash: Buffer;
}

/**
 * The key's last use, for an answer that rests on it. The message makes a found row wait as its own commit had to: it
 * may be visible here before a synchronous standby has it. `onSent` is called when a connection was free to ask.
 */
export async function findLivingKey(
  pool: pg.Pool,
  workspaceId: string,
  keyHash: Buffer,
  now: number,
  onSent?: () => void,
): Promise<LivingKey | null> {
  const query = {
    text: `select submission_id as "submissionId", body_hash as "bodyHash",
             pg_logical_emit_message(true, 'leadgate', '')
           from idempotency_keys
           where shard = $1 and workspace_id = $2 and key_hash = $3 and expires_at > $4`,
    values: [shardOf(workspaceId), workspaceId, keyHash, new Date(now)],
  };
  const { rows } = await confirmedQuery(pool, query, onSent);
  return rows[0] ?? null;
}
