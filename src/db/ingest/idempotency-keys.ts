import { sql } from 'kysely';
import type pg from 'pg';
import { confirmedQuery } from '../durability.ts';
import { inWorkspace } from '../sharded.ts';
import { statementOf } from '../sql.ts';

// So that a hanging server does not keep the few connections of a node for good.
const answerTimeoutMs = 5_000;

export interface LivingKey {
  readonly submissionId: string;
  readonly bodyHash: Buffer;
}

/**
 * The key's last use. A found row may be visible here before a synchronous standby has it, so the statement emits a WAL
 * message: its commit then waits for the standby, too. `onSent` is called once a connection is available.
 */
export async function findLivingKey(
  pool: pg.Pool,
  workspaceId: string,
  keyHash: Buffer,
  now: number,
  onSent?: () => void,
): Promise<LivingKey | null> {
  const statement = statementOf(sql`
    select submission_id as "submissionId", body_hash as "bodyHash", pg_logical_emit_message(true, 'leadgate', '')
    from idempotency_keys
    where ${inWorkspace(workspaceId)} and key_hash = ${keyHash} and expires_at > ${new Date(now)}`);
  const { rows } = await confirmedQuery<LivingKey>(
    pool,
    { ...statement, query_timeout: answerTimeoutMs },
    onSent,
  );
  return rows[0] ?? null;
}
