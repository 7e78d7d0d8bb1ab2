import { sql } from 'kysely';
import type pg from 'pg';
import type { Verdict } from '../../domain/score/score.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Position } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { build, rowsOf } from '../query-builder.ts';
import {
  contentConditions,
  type LeadFilter,
  leadsWithin,
  readsEachLead,
  type Stretch,
} from './lead-filter.ts';
import {
  fieldsText,
  type LeadRecord,
  leadColumns,
  leadsWithinBytes,
  newestFirst,
  shownLeads,
} from './lead-rows.ts';

export interface LeadStretch extends Stretch {
  /** How many of the matching leads are wanted. */
  readonly limit: number;
  /** How many leads may be read to find them. */
  readonly readMax: number;
  /** The lead that passes this many bytes of JSON is the last one. */
  readonly bytesMax: number;
}

export interface FoundLeads {
  readonly leads: LeadRecord[];
  /** More of the stretch match than were sent, because of their size. */
  readonly isCut: boolean;
}

/** Those that match among the leads of a stretch, newest first, without reading more of them than allowed. */
export async function findLeads(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  stretch: LeadStretch,
): Promise<FoundLeads> {
  const conditions = contentConditions(workspaceId, filter);
  const readsEach = readsEachLead(filter);
  let read = newestFirst(leadsWithin(workspaceId, filter, stretch))
    .select(leadColumns)
    .limit(readsEach ? stretch.readMax : stretch.limit);
  if (!readsEach) for (const condition of conditions) read = read.where(condition);
  let page = newestFirst(build.selectFrom(read.as('leads')).selectAll());
  if (readsEach) for (const condition of conditions) page = page.where(condition);
  const sent = leadsWithinBytes(page.limit(stretch.limit), stretch.bytesMax);
  const leads = await rowsOf(db, newestFirst(shownLeads(sent)));
  return { leads, isCut: leads.length < (leads[0]?.matchCount ?? 0) };
}

/** The place of the last of so many leads of a stretch, whatever they say; null when there are not as many. */
export async function findPlace(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  { readMax, ...stretch }: LeadStretch,
): Promise<Position | null> {
  const query = newestFirst(leadsWithin(workspaceId, filter, stretch))
    .select(['leads.received_at as at', 'leads.submission_id as id'])
    .offset(readMax - 1)
    .limit(1);
  return (await rowsOf(db, query))[0] ?? null;
}

/** When the oldest lead of a workspace was received. */
export async function findOldestTime(db: Queryable, workspaceId: string): Promise<Date | null> {
  const { rows } = await db.query(
    `select received_at as at from leads where shard = $1 and workspace_id = $2
     order by received_at, submission_id limit 1`,
    [shardOf(workspaceId), workspaceId],
  );
  return rows[0]?.at ?? null;
}

export async function findLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<LeadRecord | null> {
  const one = build
    .selectFrom('leads')
    .select(leadColumns)
    .select([fieldsText, sql<number>`1`.as('match_count'), sql<number>`0`.as('json_bytes')])
    .where('leads.shard', '=', shardOf(workspaceId))
    .where('leads.workspace_id', '=', workspaceId)
    .where('leads.submission_id', '=', submissionId);
  return (await rowsOf(db, shownLeads(one)))[0] ?? null;
}

export async function findLeadBody(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<Buffer<ArrayBuffer> | null> {
  const { rows } = await db.query(
    'select body from leads where shard = $1 and workspace_id = $2 and submission_id = $3',
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rows[0]?.body ?? null;
}

/** The token that a lead came in with; null for one that was signed, and when there is no such lead. */
export async function findArrival(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<{ readonly id: string; readonly name: string | null } | null> {
  const { rows } = await db.query(
    `select l.token_id as id, t.name from leads l
     left join tokens t on t.id = l.token_id and t.workspace_id = l.workspace_id
     where l.shard = $1 and l.workspace_id = $2 and l.submission_id = $3 and l.token_id is not null`,
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rows[0] ?? null;
}

/**
 * Until the end of the transaction nobody else can mark or erase the lead; false when there is none. What is to be
 * decided on is read after it: this statement may have waited, and saw the other tables as they were before.
 */
export async function lockLead(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from leads where shard = $1 and workspace_id = $2 and submission_id = $3 for no key update',
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rowCount === 1;
}

/** `scored` is the scorer's verdict while a mark is in force, and null without one. */
export async function updateVerdict(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
  { verdict, scored }: { readonly verdict: Verdict; readonly scored: Verdict | null },
): Promise<void> {
  await client.query(
    `update leads set verdict = $4, scored_verdict = $5
     where shard = $1 and workspace_id = $2 and submission_id = $3`,
    [shardOf(workspaceId), workspaceId, submissionId, verdict, scored],
  );
}

/** What it was; null when there is no such lead. */
export async function deleteLead(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<{ readonly body: Buffer; readonly receivedAt: Date } | null> {
  const { rows } = await client.query(
    `delete from leads where shard = $1 and workspace_id = $2 and submission_id = $3
     returning body, received_at as "receivedAt"`,
    [shardOf(workspaceId), workspaceId, submissionId],
  );
  return rows[0] ?? null;
}
