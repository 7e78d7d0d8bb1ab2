import { sql } from 'kysely';
import type pg from 'pg';
import { binaryUuid } from '../binary.ts';
import { confirmedQuery } from '../durability.ts';
import { areLeads, inWorkspace } from '../sharded.ts';
import { statementOf } from '../sql.ts';

// So that a hanging server does not keep the few connections of a node for good.
const answerTimeoutMs = 5_000;

/** What repeats of a workspace have in common with their originals. */
export interface OriginalNames {
  readonly keyHashes: readonly Buffer[];
  /** Ids that follow from what was signed. */
  readonly signedIds: readonly string[];
}

export interface StoredOriginal {
  /** The hash of its key, or the 16 bytes of its signed id. */
  readonly name: Buffer;
  readonly submissionId: string;
  /** Empty for a signed id: a signature covers the body. */
  readonly bodyHash: Buffer;
}

/**
 * The last uses of keys that have not expired, and the leads of signed requests. A found row may be visible here before a
 * synchronous standby has it, so the statement emits a WAL message: its commit then waits for the standby, too. `onSent` is
 * called once a connection is available.
 */
export async function findOriginals(
  pool: pg.Pool,
  workspaceId: string,
  { keyHashes, signedIds }: OriginalNames,
  now: number,
  onSent?: () => void,
): Promise<StoredOriginal[]> {
  // Under replay protection for all requests, a signature is claimed like a key, whatever key its original had.
  const claims = [...keyHashes, ...signedIds.map((id) => binaryUuid(id))];
  const statement = statementOf(sql`
    select name, submission_id as "submissionId", body_hash as "bodyHash", pg_logical_emit_message(true, 'leadgate', '')
    from (
      select key_hash as name, submission_id, body_hash from idempotency_keys
      where ${inWorkspace(workspaceId)} and key_hash = any (${claims}::bytea[]) and expires_at > ${new Date(now)}
      union all
      select uuid_send(submission_id), submission_id, ''::bytea from leads where ${areLeads(workspaceId, signedIds)}
    ) as originals`);
  const { rows } = await confirmedQuery<StoredOriginal>(
    pool,
    { ...statement, query_timeout: answerTimeoutMs },
    onSent,
  );
  return rows;
}
