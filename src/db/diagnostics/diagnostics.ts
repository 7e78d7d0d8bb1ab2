import { sql } from 'kysely';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { build, rowsOf } from '../query-builder.ts';

export interface DiagnosticsFilter {
  /** This time or later. Counts are kept per minute, so theirs starts with the minute that holds it. */
  readonly from: Date;
  /** Before this time. */
  readonly to: Date;
  readonly surface?: Surface | undefined;
  /** 'accepted' or reasons of the rejection table; undefined stands for all. */
  readonly outcomes?: readonly string[] | undefined;
  readonly formId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface OutcomeCount {
  /** The start of the bucket. */
  readonly at: Date;
  readonly outcome: string;
  readonly count: number;
  readonly lastAt: Date;
}

export type RejectionRecord = Awaited<ReturnType<typeof listRejections>>[number];
export type NoteRecord = Awaited<ReturnType<typeof listNotes>>[number];

/** How often each outcome occurred in each bucket. It cannot be asked for a single request: see countRejections. */
export async function countOutcomes(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  bucketMs: number,
): Promise<OutcomeCount[]> {
  let query = build
    .selectFrom('outcome_counts')
    .where(sentBy(workspaceId, filter))
    .where('minute', '>=', sql<Date>`date_trunc('minute', ${filter.from}::timestamptz)`)
    .where('minute', '<', filter.to)
    .select([bucketOf('minute', bucketMs), 'outcome'])
    .select([sql<number>`sum(count)::bigint`.as('count'), sql<Date>`max(last_at)`.as('lastAt')])
    .groupBy([sql`1`, 'outcome']);
  if (filter.outcomes !== undefined) query = query.where('outcome', '=', anyOf(filter.outcomes));
  return rowsOf(db, query);
}

/** The same counts over the single entries, for filters that only those know. */
export async function countRejections(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  bucketMs: number,
): Promise<OutcomeCount[]> {
  const query = rejections(workspaceId, filter)
    .select([bucketOf('at', bucketMs), 'reason as outcome'])
    .select([sql<number>`count(*)`.as('count'), sql<Date>`max(at)`.as('lastAt')])
    .groupBy([sql`1`, 'reason']);
  return rowsOf(db, query);
}

export async function listRejections(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  { after, limit }: PageRequest,
) {
  let query = rejections(workspaceId, filter)
    .select(['id', 'at', 'surface', 'form_id as formId', 'token_id as tokenId', 'request_id as requestId'])
    .select(['reason', 'detail'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after !== null) query = query.where(sql<boolean>`(at, id) < (${after.at}, ${after.id}::uuid)`);
  return rowsOf(db, query);
}

/** Notes have no outcome, so that filter does not touch them. */
export async function listNotes(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  limit: number,
) {
  const query = build
    .selectFrom('diagnostic_notes')
    .where(sentBy(workspaceId, filter))
    .where(seenAs(filter))
    .select(['id', 'at', 'surface', 'form_id as formId', 'token_id as tokenId', 'request_id as requestId'])
    .select(['kind', 'submission_id as submissionId'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  return rowsOf(db, query);
}

function rejections(workspaceId: string, filter: DiagnosticsFilter) {
  const query = build
    .selectFrom('rejection_entries')
    .where(sentBy(workspaceId, filter))
    .where(seenAs(filter));
  return filter.outcomes === undefined ? query : query.where('reason', '=', anyOf(filter.outcomes));
}

/** The columns that all three tables have. */
function sentBy(workspaceId: string, { surface, formId, tokenId }: DiagnosticsFilter) {
  const conditions = [sql`shard = ${shardOf(workspaceId)}`, sql`workspace_id = ${workspaceId}`];
  if (surface !== undefined) conditions.push(sql`surface = ${surface}`);
  if (formId !== undefined) conditions.push(sql`form_id = ${formId}`);
  if (tokenId !== undefined) conditions.push(sql`token_id = ${tokenId}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The columns that only the tables of single requests have. */
function seenAs({ from, to, requestId }: DiagnosticsFilter) {
  const inRange = sql<boolean>`at >= ${from} and at < ${to}`;
  return requestId === undefined ? inRange : sql<boolean>`${inRange} and request_id = ${requestId}`;
}

/** Buckets start at multiples of their length since 1970, in UTC, as they do in JavaScript. */
function bucketOf(column: 'minute' | 'at', bucketMs: number) {
  const length = sql`make_interval(secs => ${bucketMs / 1000})`;
  return sql<Date>`date_bin(${length}, ${sql.ref(column)}, '1970-01-01T00:00:00Z')`.as('at');
}

function anyOf(outcomes: readonly string[]) {
  return sql<string>`any (${outcomes}::text[])`;
}
