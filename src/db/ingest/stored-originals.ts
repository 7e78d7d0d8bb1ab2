import { sql } from 'kysely';
import type pg from 'pg';
import { binaryUuid } from '../binary.ts';
import { confirmedQuery } from '../durability.ts';
import { statementOf } from '../sql.ts';

// So that a hanging server does not keep the few connections of a node for good.
const answerTimeoutMs = 5_000;

/** A repeat, by what it has in common with its original. */
export interface SoughtOriginal {
  readonly shard: number;
  readonly workspaceId: string;
  readonly keyHash: Buffer | null;
  /** Follows from what was signed. */
  readonly signedId: string | null;
}

export interface StoredOriginal {
  /** The index of the repeat. */
  readonly place: number;
  readonly submissionId: string;
  /** Of the body that the key was used with; null if the signature is the same, which covers the body. */
  readonly bodyHash: Buffer | null;
}

/**
 * The last uses of keys that have not expired, and the leads of signed requests; one with both may be found several times, first
 * by its key. A found row may be visible here before a synchronous standby has it, so the statement emits a WAL message: its
 * commit then waits for the standby, too. `onSent` is called once a connection is available.
 */
export async function findOriginals(
  pool: pg.Pool,
  sought: readonly SoughtOriginal[],
  now: number,
  onSent?: () => void,
): Promise<StoredOriginal[]> {
  const [first] = sought;
  if (first === undefined) return [];
  // Citus runs a statement on one node if it names a single shard.
  const isOneShard = sought.every(({ shard }) => shard === first.shard);
  const inShard = (table: string) => (isOneShard ? sql`${sql.ref(table)}.shard = ${first.shard}` : sql`true`);
  // Under replay protection for all requests, a signature is claimed like a key, whatever key its original had.
  const claims = sql`unnest(${sought.map(({ shard }) => shard)}::smallint[],
    ${sought.map(({ workspaceId }) => workspaceId)}::uuid[], ${sought.map(({ keyHash }) => keyHash)}::bytea[],
    ${sought.map(({ signedId }) => signedId && binaryUuid(signedId))}::bytea[],
    ${sought.map(({ signedId }) => signedId)}::uuid[])
    with ordinality as s (shard, workspace_id, key_hash, signature, signed_id, place)`;
  const statement = statementOf(sql`
    select (place - 1)::int as place, submission_id as "submissionId", body_hash as "bodyHash",
      pg_logical_emit_message(true, 'leadgate', '')
    from (
      select s.place, 1 as rank, k.submission_id, k.body_hash from ${claims} join idempotency_keys k
        on (k.shard, k.workspace_id, k.key_hash) = (s.shard, s.workspace_id, s.key_hash)
      where ${inShard('k')} and k.expires_at > ${new Date(now)}
      union all
      select s.place, 2, k.submission_id, null from ${claims} join idempotency_keys k
        on (k.shard, k.workspace_id, k.key_hash) = (s.shard, s.workspace_id, s.signature)
      where ${inShard('k')} and k.expires_at > ${new Date(now)}
      union all
      select s.place, 3, l.submission_id, null from ${claims} join leads l
        on (l.shard, l.workspace_id, l.submission_id) = (s.shard, s.workspace_id, s.signed_id)
      where ${inShard('l')}
    ) as originals
    order by place, rank`);
  const { rows } = await confirmedQuery<StoredOriginal>(
    pool,
    { ...statement, query_timeout: answerTimeoutMs },
    onSent,
  );
  return rows;
}
