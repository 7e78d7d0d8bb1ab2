import { type RawBuilder, sql } from 'kysely';
import type { DiagnosticNoteKind } from '../../domain/diagnostic-note.ts';
import type { Surface } from '../../domain/surface.ts';
import { minuteMs } from '../../time/clock.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { allOf, onlyRow, rowsOf } from '../sql.ts';

export interface DiagnosticsFilter {
  /** This time or later. Counts are stored per minute, so for them the whole minute is included. */
  readonly from: Date;
  /** Before this time. */
  readonly to: Date;
  readonly surface?: Surface | undefined;
  /** 'accepted' or reasons from the rejection table; undefined for all. */
  readonly outcomes?: readonly string[] | undefined;
  readonly formId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface OutcomeTotal {
  /** The start of the bucket. */
  readonly at: Date;
  readonly outcome: string;
  readonly count: number;
  readonly lastAt: Date;
}

interface SeenRequest {
  readonly id: string;
  readonly at: Date;
  readonly surface: Surface;
  readonly formId: string | null;
  readonly tokenId: string | null;
  readonly requestId: string;
}

export interface RejectionRecord extends SeenRequest {
  readonly reason: string;
  readonly detail: Record<string, unknown>;
}

export interface NoteRecord extends SeenRequest {
  readonly kind: DiagnosticNoteKind;
  readonly submissionId: string;
}

const seenRequest = sql`id, at, surface, form_id as "formId", token_id as "tokenId", request_id as "requestId"`;

/** How often each outcome occurred in each bucket. Cannot filter by request: see countRejections. */
export async function countOutcomes(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  bucketMs: number,
): Promise<OutcomeTotal[]> {
  return rowsOf(
    db,
    sql<OutcomeTotal>`
      select ${bucketOf(sql`minute`, bucketMs)} as at, outcome, sum(count)::bigint as count, max(last_at) as "lastAt"
      from outcome_counts where ${countedWithin(workspaceId, filter)} group by 1, outcome`,
  );
}

/** The same counts from the single entries, for filters that only these support. */
export async function countRejections(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  bucketMs: number,
): Promise<OutcomeTotal[]> {
  return rowsOf(
    db,
    sql<OutcomeTotal>`
      select ${bucketOf(sql`at`, bucketMs)} as at, reason as outcome, count(*) as count, max(at) as "lastAt"
      from rejection_entries where ${ofRejections(workspaceId, filter)} group by 1, reason`,
  );
}

/** How many of the rejections that `countOutcomes` counts are entries. */
export async function countEntries(
  db: Queryable,
  workspaceId: string,
  { from, to, ...filter }: DiagnosticsFilter,
): Promise<number> {
  const wholeMinutes = {
    from: new Date(Math.floor(from.getTime() / minuteMs) * minuteMs),
    to: new Date(Math.ceil(to.getTime() / minuteMs) * minuteMs),
  };
  const within = ofRejections(workspaceId, { ...filter, ...wholeMinutes });
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`select count(*) as count from rejection_entries where ${within}`,
  );
  return count;
}

export async function listRejections(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  { after, limit }: PageRequest,
): Promise<RejectionRecord[]> {
  const conditions = [ofRejections(workspaceId, filter)];
  if (after !== null) conditions.push(comesAfter(after, 'at', 'id'));
  return rowsOf(
    db,
    sql<RejectionRecord>`
      select ${seenRequest}, reason, detail from rejection_entries
      where ${allOf(conditions)} order by at desc, id desc limit ${limit}`,
  );
}

/** Notes have no outcome, so that filter does not apply. */
export async function listNotes(
  db: Queryable,
  workspaceId: string,
  filter: DiagnosticsFilter,
  limit: number,
): Promise<NoteRecord[]> {
  const conditions = [...sentBy(workspaceId, filter), ...seenAs(filter)];
  return rowsOf(
    db,
    sql<NoteRecord>`
      select ${seenRequest}, kind, submission_id as "submissionId" from diagnostic_notes
      where ${allOf(conditions)} order by at desc, id desc limit ${limit}`,
  );
}

/** The rows of outcome_counts. It cannot filter by request. */
export function countedWithin(workspaceId: string, filter: DiagnosticsFilter): RawBuilder<unknown> {
  return allOf([
    ...sentBy(workspaceId, filter),
    sql`minute >= date_trunc('minute', ${filter.from}::timestamptz) and minute < ${filter.to}`,
    ...isAnyOf(sql`outcome`, filter.outcomes),
  ]);
}

/** The rows of rejection_entries. */
export function ofRejections(workspaceId: string, filter: DiagnosticsFilter): RawBuilder<unknown> {
  return allOf([...sentBy(workspaceId, filter), ...seenAs(filter), ...isAnyOf(sql`reason`, filter.outcomes)]);
}

/** Conditions on the columns that all three tables have. */
function sentBy(workspaceId: string, { surface, formId, tokenId }: DiagnosticsFilter): RawBuilder<unknown>[] {
  const conditions = [inWorkspace(workspaceId)];
  if (surface !== undefined) conditions.push(sql`surface = ${surface}`);
  if (formId !== undefined) conditions.push(sql`form_id = ${formId}`);
  if (tokenId !== undefined) conditions.push(sql`token_id = ${tokenId}`);
  return conditions;
}

/** Conditions on the columns that only the tables of single requests have. */
function seenAs({ from, to, requestId }: DiagnosticsFilter): RawBuilder<unknown>[] {
  const inRange = sql`at >= ${from} and at < ${to}`;
  return requestId === undefined ? [inRange] : [inRange, sql`request_id = ${requestId}`];
}

/** Buckets start at multiples of their length since 1970 in UTC, as in JavaScript. */
export function bucketOf(column: RawBuilder<unknown>, bucketMs: number): RawBuilder<unknown> {
  return sql`date_bin(make_interval(secs => ${bucketMs / 1000}), ${column}, '1970-01-01T00:00:00Z')`;
}

function isAnyOf(
  column: RawBuilder<unknown>,
  outcomes: readonly string[] | undefined,
): RawBuilder<unknown>[] {
  return outcomes === undefined ? [] : [sql`${column} = any (${outcomes}::text[])`];
}
