import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { keyLifetimeMs } from '../../domain/lead/idempotency.ts';
import type { Score } from '../../domain/score/score.ts';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import { binaryUuid } from '../binary.ts';
import { confirmedQuery } from '../durability.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { isLead } from '../sharded.ts';
import { allOf, changedBy, firstRow, rowsOf, run, statementOf } from '../sql.ts';
import type { StorableSignature } from './ingest-commit.ts';
import type { SpooledLead } from './ingest-drain.ts';

/** `refused`: PostgreSQL refused the lead. `other_body`: its key belongs to a lead with another body. */
export type QuarantineReason = 'refused' | 'other_body';

/** A row without the lead itself. */
export interface QuarantineRecord {
  readonly id: string;
  readonly at: Date;
  readonly reason: QuarantineReason;
  readonly refusal: string | null;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly submissionId: string;
  readonly formId: string | null;
  readonly surface: Surface;
  readonly receivedAt: Date;
  readonly bytes: number;
}

export interface QuarantinedLead extends Omit<QuarantineRecord, 'workspaceName' | 'bytes'> {
  readonly body: Buffer;
  /** The lead as it was in the spool; null in rows of earlier versions. */
  readonly spooled: Omit<SpooledLead, 'projection'> | null;
}

type QuarantinedRow = Omit<QuarantinedLead, 'spooled'> & { readonly head: Buffer | null };

/** The parts of a lead that have no column. */
interface Head {
  readonly token: string | null;
  readonly score: Score;
  readonly key: { readonly hash: string; readonly bodyHash: string } | null;
  readonly signed: Pick<StorableSignature, 'id' | 'isClaimed'> | null;
  readonly next: string | null;
}

/** False when the lead is quarantined already or was erased in the meantime. */
export async function quarantineLead(
  pool: pg.Pool,
  lead: SpooledLead,
  reason: QuarantineReason,
  refusal: string | null,
  at: Date,
  lifetimeMs = keyLifetimeMs,
): Promise<boolean> {
  const { shard, submissionId, nextSubmissionId, surface, body } = lead;
  const statement = statementOf(sql`
    select quarantine_lead(${`${lifetimeMs} milliseconds`}, ${at}, ${reason}, ${refusal}, ${shard},
      ${lead.workspaceId.toString('hex')}, ${submissionId}, ${nextSubmissionId}, ${lead.formId.toString('hex')},
      ${surface}, ${new Date(lead.receivedAt)}, ${body}, ${encodeHead(lead)}) as "isNew"`);
  const { rows } = await confirmedQuery<{ readonly isNew: boolean }>(pool, statement);
  return rows[0]?.isNew === true;
}

const columns = sql`q.id, q.at, q.reason, q.refusal, q.workspace_id as "workspaceId", q.submission_id as "submissionId",
  q.form_id as "formId", q.surface, q.received_at as "receivedAt"`;
const shown = sql`select ${columns}, w.name as "workspaceName", octet_length(q.body) as bytes
  from spool_quarantine q join workspaces w on w.id = q.workspace_id`;

export async function listQuarantine(
  db: Queryable,
  reason: QuarantineReason | undefined,
  { after, limit }: PageRequest,
): Promise<QuarantineRecord[]> {
  const conditions: RawBuilder<unknown>[] = [];
  if (reason !== undefined) conditions.push(sql`q.reason = ${reason}`);
  if (after !== null) conditions.push(comesAfter(after, 'q.at', 'q.id'));
  return rowsOf(
    db,
    sql<QuarantineRecord>`${shown} where ${allOf(conditions)} order by q.at desc, q.id desc limit ${limit}`,
  );
}

export async function findQuarantineRow(db: Queryable, id: string): Promise<QuarantineRecord | null> {
  return firstRow(db, sql<QuarantineRecord>`${shown} where q.id = ${id}`);
}

/** Locks the row until the end of the transaction, so that only one operator decides about it. */
export async function lockQuarantined(client: pg.PoolClient, id: string): Promise<QuarantinedLead | null> {
  const row = await firstRow(
    client,
    sql<QuarantinedRow>`select ${columns}, q.body, q.head from spool_quarantine q where q.id = ${id} for update`,
  );
  if (row === null) return null;
  const { head, ...lead } = row;
  return { ...lead, spooled: head === null ? null : decodeHead(lead, head) };
}

export async function deleteQuarantined(client: pg.PoolClient, id: string): Promise<void> {
  await run(client, sql`delete from spool_quarantine where id = ${id}`);
}

/** Whether it has any. With the lock of erasures, it stays so until the end of the transaction. */
export async function hasQuarantined(db: Queryable, workspaceId: string): Promise<boolean> {
  const some = sql`select from spool_quarantine where workspace_id = ${workspaceId} limit 1`;
  return (await changedBy(db, some)) > 0;
}

/** What copies of an erased lead are recognised by. */
export interface CopiedLead {
  readonly submissionId: string;
  readonly receivedAt: Date;
  /** SHA-256 of its body. */
  readonly bodyDigest: Buffer;
}

/** For erased leads: deletes rows with the id of one from the lifetime of its key, and rows with the same body. */
export async function deleteQuarantinedCopies(
  client: pg.PoolClient,
  workspaceId: string,
  leads: readonly CopiedLead[],
): Promise<void> {
  const ids = leads.map(({ submissionId }) => submissionId);
  const times = leads.map(({ receivedAt }) => receivedAt);
  const digests = leads.map(({ bodyDigest }) => bodyDigest);
  const lifetime = sql`${`${keyLifetimeMs} milliseconds`}::interval`;
  await run(
    client,
    sql`delete from spool_quarantine q where q.workspace_id = ${workspaceId}
      and (sha256(q.body) = any (${digests}::bytea[]) or exists (
        select from unnest(${ids}::uuid[], ${times}::timestamptz[]) as l (submission_id, received_at)
        where l.submission_id = q.submission_id and q.received_at > l.received_at - ${lifetime}
          and q.received_at < l.received_at + ${lifetime}))`,
  );
}

/** True when the id belongs to another lead, because the same key was used again after it had expired. */
export async function isIdReused(client: pg.PoolClient, lead: QuarantinedLead): Promise<boolean> {
  const { workspaceId, submissionId, body, receivedAt } = lead;
  const expiredAt = new Date(receivedAt.getTime() + keyLifetimeMs);
  const found = await changedBy(
    client,
    sql`
      select from leads
      where ${isLead(workspaceId, submissionId)} and body <> ${body} and received_at >= ${expiredAt}`,
  );
  return found === 1;
}

function encodeHead({ tokenId, score, key, signed, nextSubmissionId }: SpooledLead): Buffer {
  const head: Head = {
    token: tokenId?.toString('hex') ?? null,
    score,
    key: key && { hash: key.hash.toString('hex'), bodyHash: key.bodyHash.toString('hex') },
    signed: signed && { id: signed.id, isClaimed: signed.isClaimed },
    next: nextSubmissionId,
  };
  return Buffer.from(JSON.stringify(head));
}

function decodeHead(lead: Omit<QuarantinedLead, 'spooled'>, bytes: Buffer): QuarantinedLead['spooled'] {
  const { token, score, key, signed, next }: Head = JSON.parse(bytes.toString('utf8'));
  const { workspaceId, submissionId, formId, surface, receivedAt, body } = lead;
  return {
    shard: shardOf(workspaceId),
    workspaceId: binaryUuid(workspaceId),
    submissionId,
    formId: binaryUuid(formId as string),
    tokenId: token === null ? null : Buffer.from(token, 'hex'),
    surface,
    receivedAt: receivedAt.getTime(),
    body,
    score,
    key: key && { hash: Buffer.from(key.hash, 'hex'), bodyHash: Buffer.from(key.bodyHash, 'hex') },
    signed: signed && { ...signed, isSuspect: false },
    nextSubmissionId: next,
  };
}
