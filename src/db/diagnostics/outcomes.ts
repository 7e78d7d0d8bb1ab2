import { sql } from 'kysely';
import type pg from 'pg';
import type { DiagnosticNoteKind } from '../../domain/diagnostic-note.ts';
import type { Surface } from '../../domain/surface.ts';
import { addFormerSecretUses, type FormerSecretUse } from '../forms/former-secret-uses.ts';
import { inTransaction, type Queryable } from '../pool.ts';
import { changedBy, run } from '../sql.ts';
import { insertRejectedRequests, type RejectedRequest } from './rejected-requests.ts';

/** The counts of an instance since its last flush. */
export interface OutcomeFlush {
  readonly counts: readonly OutcomeCount[];
  readonly entries: readonly RejectionEntry[];
  readonly notes: readonly DiagnosticNote[];
  readonly unattributed: readonly UnattributedCount[];
  readonly tokensUsed: readonly TokenUse[];
  readonly formerSecretUses: readonly FormerSecretUse[];
  readonly rejectedRequests: readonly RejectedRequest[];
}

export interface OutcomeCount {
  readonly shard: number;
  readonly workspaceId: string;
  readonly minute: string;
  readonly surface: Surface;
  readonly outcome: string;
  readonly formId: string;
  readonly tokenId: string;
  count: number;
  lastAt: string;
}

export interface RejectionEntry {
  readonly shard: number;
  readonly workspaceId: string;
  readonly id: string;
  readonly at: string;
  readonly surface: Surface;
  readonly reason: string;
  readonly formId: string | null;
  readonly tokenId: string | null;
  readonly requestId: string;
  readonly detail: object;
}

export interface DiagnosticNote {
  readonly shard: number;
  readonly workspaceId: string;
  readonly id: string;
  readonly at: string;
  readonly surface: Surface;
  readonly kind: DiagnosticNoteKind;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly requestId: string;
  readonly submissionId: string;
}

export interface UnattributedCount {
  readonly minute: string;
  readonly surface: Surface;
  readonly reason: string;
  count: number;
  lastAt: string;
}

interface TokenUse {
  readonly tokenId: string;
  readonly lastUsedAt: string;
}

/** Applies a flush once: a second attempt under the same sequence number changes nothing. */
export async function applyFlush(
  pool: pg.Pool,
  instanceId: string,
  sequence: number,
  now: number,
  flush: OutcomeFlush,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    if (!(await claimFlush(client, instanceId, sequence, now))) return;
    if (flush.counts.length > 0) await addCounts(client, flush.counts);
    if (flush.entries.length > 0) await insertEntries(client, flush.entries);
    if (flush.rejectedRequests.length > 0) await insertRejectedRequests(client, flush.rejectedRequests);
    if (flush.notes.length > 0) await insertNotes(client, flush.notes);
    if (flush.unattributed.length > 0) await addUnattributed(client, flush.unattributed);
    if (flush.formerSecretUses.length > 0) await addFormerSecretUses(client, flush.formerSecretUses);
    if (flush.tokensUsed.length > 0) await touchTokens(client, flush.tokensUsed);
  });
}

async function claimFlush(
  db: Queryable,
  instanceId: string,
  sequence: number,
  now: number,
): Promise<boolean> {
  const claimed = await changedBy(
    db,
    sql`
      insert into diagnostic_flushes as f (instance_id, sequence, flushed_at)
      values (${instanceId}, ${sequence}, ${new Date(now)})
      on conflict (instance_id) do update set sequence = excluded.sequence, flushed_at = excluded.flushed_at
      where f.sequence < excluded.sequence`,
  );
  return claimed === 1;
}

// Sorted, like every statement that locks several rows, so that two instances cannot deadlock.
async function addCounts(db: Queryable, counts: readonly OutcomeCount[]): Promise<void> {
  await run(
    db,
    sql`
      insert into outcome_counts as c
        (shard, workspace_id, minute, surface, outcome, form_id, token_id, count, last_at)
      select shard, "workspaceId", minute, surface, outcome, "formId", "tokenId", count, "lastAt"
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as r (shard smallint, "workspaceId" uuid, minute timestamptz, surface text,
        outcome text, "formId" uuid, "tokenId" uuid, count bigint, "lastAt" timestamptz)
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (shard, workspace_id, minute, surface, outcome, form_id, token_id)
      do update set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)`,
  );
}

async function insertEntries(db: Queryable, entries: readonly RejectionEntry[]): Promise<void> {
  await run(
    db,
    sql`
      insert into rejection_entries
        (shard, workspace_id, id, at, surface, reason, form_id, token_id, request_id, detail)
      select shard, "workspaceId", id, at, surface, reason, "formId", "tokenId", "requestId", detail
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as r (shard smallint, "workspaceId" uuid, id uuid, at timestamptz,
        surface text, reason text, "formId" uuid, "tokenId" uuid, "requestId" uuid, detail jsonb)`,
  );
}

async function insertNotes(db: Queryable, notes: readonly DiagnosticNote[]): Promise<void> {
  await run(
    db,
    sql`
      insert into diagnostic_notes
        (shard, workspace_id, id, at, surface, kind, form_id, token_id, request_id, submission_id)
      select shard, "workspaceId", id, at, surface, kind, "formId", "tokenId", "requestId", "submissionId"
      from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb) as r (shard smallint, "workspaceId" uuid, id uuid, at timestamptz,
        surface text, kind text, "formId" uuid, "tokenId" uuid, "requestId" uuid, "submissionId" uuid)`,
  );
}

async function addUnattributed(db: Queryable, counts: readonly UnattributedCount[]): Promise<void> {
  await run(
    db,
    sql`
      insert into unattributed_counts as c (minute, surface, reason, count, last_at)
      select minute, surface, reason, count, "lastAt"
      from jsonb_to_recordset(${JSON.stringify(counts)}::jsonb) as r (minute timestamptz, surface text, reason text, count bigint,
        "lastAt" timestamptz)
      order by 1, 2, 3
      on conflict (minute, surface, reason)
      do update set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)`,
  );
}

/** Without a new revision: other instances do not need to know. */
async function touchTokens(db: Queryable, uses: readonly TokenUse[]): Promise<void> {
  await run(
    db,
    sql`
      update tokens t set last_used_at = greatest(t.last_used_at, u."lastUsedAt")
      from (select * from jsonb_to_recordset(${JSON.stringify(uses)}::jsonb) as r ("tokenId" uuid, "lastUsedAt" timestamptz)
            order by 1) u
      where t.id = u."tokenId"`,
  );
}
