import { type RawBuilder, sql } from 'kysely';
import type { Position } from '../../keyset.ts';
import type { Queryable } from '../../pool.ts';
import { allOf, onlyRow, rowsOf } from '../../sql.ts';
import { firstLeads } from '../first-leads.ts';
import {
  contentConditions,
  type LeadFilter,
  readable,
  readsEachLead,
  stretchConditions,
} from '../lead-filter.ts';
import { byTime } from '../lead-order.ts';
import { findPlace } from '../leads.ts';

const newestFirst = byTime(false);

export interface ChosenStretch {
  readonly after: Position | null;
  /** The number of matching leads to return. */
  readonly limit: number;
  /** The number of leads that may be read to find them. */
  readonly readMax: number;
}

/** The matching leads of a stretch, newest first, and where the next stretch begins; null at the end of the list. */
export async function findChosen(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  stretch: ChosenStretch,
): Promise<{ readonly leads: Position[]; readonly next: Position | null }> {
  const matching = matchingIn(workspaceId, filter, stretch);
  const leads = await rowsOf(
    db,
    sql<Position>`
      select leads.received_at as at, leads.submission_id as id from (${matching}) as leads ${newestFirst}`,
  );
  if (leads.length === stretch.limit) return { leads, next: leads.at(-1) ?? null };
  return { leads, next: await endOf(db, workspaceId, filter, stretch) };
}

/** The same, but only counts them. */
export async function countChosen(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  stretch: ChosenStretch,
): Promise<{ readonly count: number; readonly next: Position | null }> {
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`
      select count(*) as count from (${matchingIn(workspaceId, filter, stretch)}) as leads`,
  );
  return { count, next: await endOf(db, workspaceId, filter, stretch) };
}

function matchingIn(
  workspaceId: string,
  filter: LeadFilter,
  { after, limit, readMax }: ChosenStretch,
): RawBuilder<unknown> {
  const stretch = { after: placeOf(after) };
  const inContent = contentConditions(workspaceId, filter);
  const ids = sql`leads.received_at, leads.submission_id`;
  if (readsEachLead(filter)) {
    const read = sql`(${firstLeads(workspaceId, filter, stretch, readMax)}) as leads`;
    return sql`
      select ${ids} from ${readable(read, filter)} where ${allOf(inContent)} ${newestFirst} limit ${limit}`;
  }
  const conditions = [...stretchConditions(workspaceId, filter, stretch), ...inContent];
  return sql`
    select ${ids} from ${readable(sql`leads`, filter)} where ${allOf(conditions)} ${newestFirst} limit ${limit}`;
}

/** Null if the stretch reaches the end of the list. */
async function endOf(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  { after, limit, readMax }: ChosenStretch,
): Promise<Position | null> {
  if (!readsEachLead(filter)) return null;
  const stretch = { after: placeOf(after), readMax, limit, bytesMax: Number.MAX_SAFE_INTEGER };
  const place = await findPlace(db, workspaceId, filter, stretch);
  return place === null ? null : { at: place.at, id: place.id };
}

function placeOf(after: Position | null) {
  return after === null ? null : { ...after, value: null };
}
