import { sql } from 'kysely';
import type pg from 'pg';
import type { DiagnosticNoteKind } from '../../domain/diagnostic-note.ts';
import type { Surface } from '../../domain/surface.ts';
import { addClockDrifts, type ClockDrift } from '../alarms/clock-drifts.ts';
import { addFormUses, type FormUse } from '../forms/form-uses.ts';
import { addFormerSecretUses, type FormerSecretUse } from '../forms/former-secret-uses.ts';
import { addTokenAddresses, type TokenUse, touchTokens } from '../forms/token-addresses.ts';
import type { Queryable } from '../pool.ts';
import {
  type CountedTable,
  type InsertCounts,
  insertAsLists,
  insertAsRows,
  insertRows,
  type Rest,
  rowsBesideLeadsMax,
  run,
} from '../sql.ts';
import { applyOnce, applyOnceOnNode } from './flush-once.ts';
import { addHandlingTimes, type HandlingTimes } from './handling-times.ts';
import { insertUnattributedRequests, type UnattributedRequests } from './unattributed-requests.ts';

/** The counts of an instance since its last flush. */
export interface OutcomeFlush {
  readonly counts: readonly OutcomeCount[];
  readonly entries: readonly RejectionEntry[];
  readonly notes: readonly DiagnosticNote[];
  readonly unattributed: readonly UnattributedCount[];
  readonly unattributedRequests: readonly UnattributedRequests[];
  readonly tokensUsed: readonly TokenUse[];
  readonly formUses: readonly FormUse[];
  readonly formerSecretUses: readonly FormerSecretUse[];
  readonly clockDrifts: readonly ClockDrift[];
  readonly handlingTimes: readonly HandlingTimes[];
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
  /** Of rejected requests: those whose sender has proven who they are, other than with a token of a web page. */
  readonly proven: number;
  /** Of accepted requests: those with the verdict spam. */
  readonly spam: number;
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
  /** Null for other notes than those about a key that was used for several bodies. */
  readonly reuse: KeyReuse | null;
}

export interface KeyReuse {
  readonly keyHash: Buffer;
  /** Keyed hash of who the body is about; null if it does not say. */
  readonly person: Buffer | null;
  /** True for a credential of ours. */
  readonly isSecret: boolean;
}

export interface UnattributedCount {
  readonly minute: string;
  readonly surface: Surface;
  readonly reason: string;
  count: number;
  lastAt: string;
}

/** The bucket that has the rows of a shard. Rows of the same bucket can be in one statement; on one server, all can. */
export type BucketOf = (shard: number) => number;

const oneBucket: BucketOf = () => 0;
const noRest: Rest = async () => {};

/** Applies a flush once: a second attempt under the same sequence number changes nothing. */
export async function applyFlush(
  pool: pg.Pool,
  instanceId: string,
  sequence: number,
  now: number,
  flush: OutcomeFlush,
  bucketOf: BucketOf = oneBucket,
  rest: Rest = noRest,
): Promise<void> {
  const writing = { bucketOf, rest, insert: insertAsLists(rest) };
  await applyOnce(pool, instanceId, sequence, now, (client) => writeFlush(client, flush, writing));
}

/**
 * The same for rows of one node of a cluster. What says that the flush was applied is on that node, too. So the transaction
 * ends there and nowhere else: it neither waits for other nodes nor is it half done if the coordinator fails.
 */
export async function applyFlushOnNode(
  pool: pg.Pool,
  instanceId: string,
  sequence: number,
  now: number,
  flush: OutcomeFlush,
  bucketOf: BucketOf,
  rest: Rest = noRest,
): Promise<void> {
  const { counts, entries, notes, formerSecretUses, clockDrifts, handlingTimes } = flush;
  const rows = [...counts, ...entries, ...notes, ...formerSecretUses, ...clockDrifts, ...handlingTimes];
  // The limits of the host may have left nothing of notes that came alone.
  if (rows.length === 0) return;
  await applyOnceOnNode(pool, rows, instanceId, sequence, now, (client) =>
    writeFlush(client, flush, { bucketOf, rest, insert: insertAsRows }),
  );
}

interface FlushWriting {
  readonly bucketOf: BucketOf;
  readonly insert: InsertCounts;
  readonly rest: Rest;
}

async function writeFlush(
  client: pg.PoolClient,
  flush: OutcomeFlush,
  { bucketOf, insert, rest }: FlushWriting,
): Promise<void> {
  const inBuckets = async <Row extends { readonly shard: number }>(
    rows: readonly Row[],
    write: (client: pg.PoolClient, rows: readonly Row[], insert: InsertCounts) => Promise<void>,
  ) => {
    for (const ofBucket of byBucket(rows, bucketOf)) await write(client, ofBucket, insert);
  };
  // First, because the rows of counts are locked until the transaction ends, and other workers write them too.
  await inBuckets(flush.entries, insertEntries);
  await insertUnattributedRequests(client, flush.unattributedRequests, rest);
  await inBuckets(flush.counts, addCounts);
  await inBuckets(flush.notes, insertNotes);
  if (flush.unattributed.length > 0) await addUnattributed(client, flush.unattributed);
  await inBuckets(flush.formerSecretUses, addFormerSecretUses);
  await inBuckets(flush.clockDrifts, addClockDrifts);
  await inBuckets(flush.handlingTimes, addHandlingTimes);
  const inPortions = async <Use>(
    uses: readonly Use[],
    nameOf: (use: Use) => string,
    write: (client: pg.PoolClient, uses: readonly Use[]) => Promise<void>,
  ) => {
    for (const some of portions(uses, nameOf)) {
      await write(client, some);
      await rest();
    }
  };
  await inPortions(flush.tokensUsed, ({ tokenId }) => tokenId, touchTokens);
  await inPortions(flush.formUses, ({ formId }) => formId, addFormUses);
  await inPortions(flush.tokensUsed, ({ tokenId }) => tokenId, addTokenAddresses);
}

/**
 * In the same order for all instances, so that two cannot deadlock. Uses of the same name stay together, because PostgreSQL
 * orders the rest of a statement, and not always as we would.
 */
function portions<Use>(uses: readonly Use[], nameOf: (use: Use) => string): Use[][] {
  const names = [...Map.groupBy(uses, nameOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const count = Math.ceil(names.length / rowsBesideLeadsMax);
  return Array.from({ length: count }, (_, number) =>
    names.slice(number * rowsBesideLeadsMax, (number + 1) * rowsBesideLeadsMax).flatMap(([, same]) => same),
  );
}

/** In the same order for all instances, like every statement that locks several rows, so that two cannot deadlock. */
export function byBucket<Row extends { readonly shard: number }>(
  rows: readonly Row[],
  bucketOf: BucketOf,
): Row[][] {
  const groups = Map.groupBy(rows, ({ shard }) => bucketOf(shard));
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}

const outcomeCounts: CountedTable = {
  into: 'outcome_counts as c',
  columns: {
    ...{ shard: 'smallint', workspace_id: 'uuid', minute: 'timestamptz', surface: 'text', outcome: 'text' },
    ...{ form_id: 'uuid', token_id: 'uuid', count: 'bigint', proven_count: 'bigint', spam_count: 'bigint' },
    last_at: 'timestamptz',
  },
  after: `on conflict (shard, workspace_id, minute, surface, outcome, form_id, token_id)
    do update set count = c.count + excluded.count,
      proven_count = coalesce(c.proven_count, 0) + excluded.proven_count,
      spam_count = coalesce(c.spam_count, 0) + excluded.spam_count,
      last_at = greatest(c.last_at, excluded.last_at)`,
};

// Sorted, so that two instances cannot deadlock.
async function addCounts(
  db: Queryable,
  counts: readonly OutcomeCount[],
  insert: InsertCounts,
): Promise<void> {
  const rows = counts.map(
    ({ shard, workspaceId, minute, surface, outcome, formId, tokenId, count, proven, spam, lastAt }) => ({
      key: `${workspaceId} ${minute} ${surface} ${outcome} ${formId} ${tokenId}`,
      values: [
        ...[shard, workspaceId, minute, surface, outcome, formId, tokenId, count, proven, spam, lastAt],
      ],
    }),
  );
  await insert(
    db,
    outcomeCounts,
    rows.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ values }) => values),
  );
}

const rejectionEntries: CountedTable = {
  into: 'rejection_entries',
  columns: {
    ...{ shard: 'smallint', workspace_id: 'uuid', id: 'uuid', at: 'timestamptz', surface: 'text' },
    reason: 'text',
    ...{ form_id: 'uuid', token_id: 'uuid', request_id: 'uuid', detail: 'jsonb' },
  },
  after: '',
};

async function insertEntries(
  db: Queryable,
  entries: readonly RejectionEntry[],
  insert: InsertCounts,
): Promise<void> {
  await insert(
    db,
    rejectionEntries,
    entries.map((e) => [
      ...[e.shard, e.workspaceId, e.id, e.at, e.surface, e.reason, e.formId, e.tokenId],
      ...[e.requestId, e.detail],
    ]),
  );
}

async function insertNotes(db: Queryable, notes: readonly DiagnosticNote[]): Promise<void> {
  await insertRows(
    db,
    `diagnostic_notes (shard, workspace_id, id, at, surface, kind, form_id, token_id, request_id, submission_id, key_hash,
      person_hash, is_secret)`,
    notes.map((n) => [
      ...[n.shard, n.workspaceId, n.id, n.at, n.surface, n.kind, n.formId, n.tokenId, n.requestId],
      ...[n.submissionId, n.reuse?.keyHash ?? null, n.reuse?.person ?? null, n.reuse?.isSecret ?? null],
    ]),
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
