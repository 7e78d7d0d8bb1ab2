import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Position } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isLead } from '../sharded.ts';
import { allOf, changedBy, firstRow, onlyRow, rowsOf, run } from '../sql.ts';
import { dropBlocks } from './blocks/dropped-blocks.ts';
import { firstLeads } from './first-leads.ts';
import { withReasons } from './lead-content.ts';
import {
  contentConditions,
  isFoundByMark,
  type LeadFilter,
  readable,
  readsEachLead,
  type Stretch,
  stretchConditions,
} from './lead-filter.ts';
import { byTime, inOrderOf } from './lead-order.ts';
import {
  fieldsText,
  type LeadRecord,
  type ListedLeadRecord,
  leadColumns,
  leadsWithinBytes,
  type ShownLeads,
  wholeLeads,
} from './lead-rows.ts';

export interface LeadStretch extends Stretch {
  /** The number of matching leads to return. */
  readonly limit: number;
  /** The number of leads that may be read to find them. */
  readonly readMax: number;
  /** Only these leads are read. */
  readonly ids?: readonly string[] | undefined;
  /** The lead that exceeds this many bytes of JSON in total is the last one. */
  readonly bytesMax: number;
}

export interface FoundLeads<Row extends ListedLeadRecord> {
  readonly leads: Row[];
  /** True when matching leads of the stretch were left out because of their size. */
  readonly isCut: boolean;
}

/** The matching leads of a stretch, in its order, reading no more than `readMax` leads. */
export async function findLeads<Row extends ListedLeadRecord>(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  stretch: LeadStretch,
  shown: ShownLeads<Row>,
): Promise<FoundLeads<Row>> {
  const { limit, readMax, ids, bytesMax, isOldestFirst = false } = stretch;
  const inContent = contentConditions(workspaceId, filter);
  const order = byTime(isOldestFirst);
  const found = () => {
    if (ids === undefined && readsEachLead(filter)) {
      const read = sql`(${firstLeads(workspaceId, filter, stretch, readMax)}) as leads`;
      return sql`select leads.* from ${readable(read, filter)} where ${allOf(inContent)} ${order} limit ${limit}`;
    }
    if (ids === undefined && !isFoundByMark(filter)) return firstLeads(workspaceId, filter, stretch, limit);
    const conditions = [...stretchConditions(workspaceId, filter, stretch), ...inContent];
    if (ids !== undefined) conditions.push(sql`submission_id = any (${ids}::uuid[])`);
    return sql`select ${leadColumns} from ${readable(sql`leads`, filter)} where ${allOf(conditions)} ${order} limit ${limit}`;
  };
  return readPage(db, workspaceId, found(), { bytesMax, order }, shown);
}

/** Leads in the order in which they are named. */
export async function readLeads<Row extends ListedLeadRecord>(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  bytesMax: number,
  shown: ShownLeads<Row>,
): Promise<FoundLeads<Row>> {
  const page = sql`
    select ${leadColumns} from leads where ${inWorkspace(workspaceId)} and submission_id = any (${ids}::uuid[])`;
  return readPage(db, workspaceId, page, { bytesMax, order: inOrderOf(ids) }, shown);
}

async function readPage<Row extends ListedLeadRecord>(
  db: Queryable,
  workspaceId: string,
  page: RawBuilder<unknown>,
  { bytesMax, order }: { readonly bytesMax: number; readonly order: RawBuilder<unknown> },
  shown: ShownLeads<Row>,
): Promise<FoundLeads<Row>> {
  const chosen = leadsWithinBytes(page, bytesMax, order);
  const rows = await rowsOf(db, sql<Row>`${shown(chosen, shardOf(workspaceId))} ${order}`);
  const leads = rows.map(withReasons);
  return { leads, isCut: leads.length < (leads[0]?.matchCount ?? 0) };
}

/** The position of the last of `readMax` leads in a stretch, matching or not; null when there are fewer. */
export async function findPlace(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  stretch: LeadStretch,
): Promise<Position | null> {
  return firstRow(
    db,
    sql<Position>`
      select received_at as at, submission_id as id from leads
      where ${allOf(stretchConditions(workspaceId, filter, stretch))}
      ${byTime(stretch.isOldestFirst ?? false)} limit 1 offset ${stretch.readMax - 1}`,
  );
}

/** The time of the oldest lead in a workspace. */
export async function findOldestTime(db: Queryable, workspaceId: string): Promise<Date | null> {
  const row = await firstRow(
    db,
    sql<{ readonly at: Date }>`
      select received_at as at from leads where ${inWorkspace(workspaceId)}
      order by received_at, submission_id limit 1`,
  );
  return row?.at ?? null;
}

/** How leads of a form came in since then. */
export async function listLeadSources(
  db: Queryable,
  workspaceId: string,
  formId: string,
  since: Date,
): Promise<{ surface: Surface; tokenId: string | null }[]> {
  return rowsOf(
    db,
    sql<{
      surface: Surface;
      tokenId: string | null;
    }>`select distinct surface, token_id as "tokenId" from leads
      where ${inWorkspace(workspaceId)} and form_id = ${formId} and received_at >= ${since}`,
  );
}

export async function findLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<LeadRecord | null> {
  const one = sql`
    select ${leadColumns}, ${fieldsText}, 1 as match_count, 0 as json_bytes from leads
    where ${isLead(workspaceId, submissionId)}`;
  const lead = await firstRow(db, wholeLeads(one, shardOf(workspaceId)));
  return lead === null ? null : withReasons(lead);
}

export async function findLeadBody(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<Buffer<ArrayBuffer> | null> {
  const row = await firstRow(
    db,
    sql<{ readonly body: Buffer<ArrayBuffer> }>`
      select body from leads where ${isLead(workspaceId, submissionId)}`,
  );
  return row?.body ?? null;
}

interface Arrival {
  readonly id: string;
  readonly name: string | null;
}

/** The token that a lead was sent with; null for a signed lead and when there is no such lead. */
export async function findArrival(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<Arrival | null> {
  const lead = await firstRow(
    db,
    sql<{ readonly tokenId: string | null }>`
      select token_id as "tokenId" from leads where ${isLead(workspaceId, submissionId)}`,
  );
  if (lead === null || lead.tokenId === null) return null;
  // Not in a join: on Citus, tokens and leads are on different servers.
  const token = await firstRow(
    db,
    sql<{ readonly name: string }>`
      select name from tokens where id = ${lead.tokenId} and workspace_id = ${workspaceId}`,
  );
  return { id: lead.tokenId, name: token?.name ?? null };
}

/**
 * Until the end of the transaction, no other call can mark or erase the lead; false when there is none. Read other tables
 * in a later statement: this one may have waited for the lock and sees them as they were before.
 */
export async function lockLead(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string,
): Promise<boolean> {
  const lead = sql`select from leads where ${isLead(workspaceId, submissionId)} for no key update`;
  return (await changedBy(client, lead)) === 1;
}

/** What copies of a lead are recognised by. */
export interface Original {
  readonly submissionId: string;
  readonly body: Buffer;
  readonly receivedAt: Date;
  readonly formId: string;
}

/**
 * Some columns of these leads, one after the other by the primary key. With a list of IDs as condition, PostgreSQL prefers an index
 * by time, and reads all leads of the workspace.
 */
function byKey(
  workspaceId: string,
  submissionIds: readonly string[],
  columns: RawBuilder<unknown>,
  lock = sql``,
): RawBuilder<unknown> {
  return sql`
    unnest(${submissionIds}::uuid[]) as given (id) cross join lateral (
      select ${columns} from leads where ${inWorkspace(workspaceId)} and submission_id = given.id ${lock} offset 0) as l`;
}

/** The first of these leads, as many as have `bytesMax` together. */
export async function findOriginals(
  db: Queryable,
  workspaceId: string,
  submissionIds: readonly string[],
  bytesMax: number,
  order: 'newest' | 'id' = 'id',
): Promise<Original[]> {
  const inOrder = order === 'id' ? sql`submission_id` : sql`received_at desc, submission_id desc`;
  const columns = sql`submission_id, body, received_at, form_id`;
  return rowsOf(
    db,
    sql<Original>`
      select submission_id as "submissionId", body, received_at as "receivedAt", form_id as "formId" from (
        select l.*, sum(octet_length(body)) over (
          order by ${inOrder} rows between unbounded preceding and 1 preceding) as bytes_before
        from ${byKey(workspaceId, submissionIds, columns)}) as leads
      where coalesce(bytes_before, 0) < ${bytesMax} order by ${inOrder}`,
  );
}

/**
 * With what the index of leads says of them. Returns the IDs of those that there were. Locks in the order of IDs, as everyone does.
 */
export async function deleteLeads(
  client: pg.PoolClient,
  workspaceId: string,
  leads: readonly Pick<Original, 'submissionId' | 'receivedAt'>[],
): Promise<Set<string>> {
  const ids = leads.map(({ submissionId }) => submissionId).toSorted();
  const locked = byKey(workspaceId, ids, sql`true`, sql`for update`);
  const { count } = await onlyRow(
    client,
    sql<{ readonly count: number }>`select count(*) as count from ${locked}`,
  );
  // Mostly there are all of them. Thousands of IDs that are known would take longer to read than to delete.
  const found = new Set(count === ids.length ? ids : await listThere(client, workspaceId, ids));
  const rows = sql`select l.ctid from ${byKey(workspaceId, ids, sql`ctid`)}`;
  await run(client, sql`delete from leads where ${inWorkspace(workspaceId)} and ctid = any (array(${rows}))`);
  const times = leads.flatMap(({ submissionId, receivedAt }) =>
    found.has(submissionId) ? [receivedAt] : [],
  );
  await dropBlocks(client, workspaceId, times);
  return found;
}

async function listThere(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<string[]> {
  const there = sql<{ readonly id: string }>`
    select l.submission_id as id from ${byKey(workspaceId, submissionIds, sql`submission_id`)}`;
  return (await rowsOf(client, there)).map(({ id }) => id);
}
