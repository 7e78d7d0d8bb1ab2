import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { allOf, rowsOf } from '../sql.ts';
import { firstLeads } from './first-leads.ts';
import { contentFields } from './lead-content.ts';
import {
  contentConditions,
  isFoundByMark,
  type LeadFilter,
  readable,
  stretchConditions,
} from './lead-filter.ts';
import { byTime, isField, type SortColumn } from './lead-order.ts';

/** More than a sort key is made of: a sender may have sent 128 KB, and thousands are sorted at once. */
const charactersMax = 201;

/** A lead that is to be sorted. */
export interface LeadToSort {
  readonly id: string;
  readonly at: Date;
  /** The beginning of the value as JSON; null if there is none. */
  readonly value: string | null;
}

interface Found {
  readonly leads: LeadToSort[];
  /** How many leads were read, matching or not. */
  readonly read: number;
}

/** The matching ones of the newest leads of an interval, of which no more than `readMax` are read. */
export async function readLeadsToSort(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  column: SortColumn,
  { from, to, readMax }: { readonly from?: Date; readonly to?: Date; readonly readMax: number },
): Promise<Found> {
  const within = { ...filter, from: latest(filter.from, from), to: earliest(filter.to, to) };
  const newest = isFoundByMark(filter)
    ? newestMarked(workspaceId, within, readMax)
    : firstLeads(workspaceId, within, { after: null }, readMax);
  const rows = await rowsOf(
    db,
    sql<LeadToSort & { readonly isMatch: boolean }>`
      select submission_id as id, received_at as at, ${valueIn(column)} as value,
        ${allOf(contentConditions(workspaceId, filter))} as "isMatch"
      from ${readable(sql`(${newest}) as leads`, filter, isField(column))}`,
  );
  return { leads: rows.filter(({ isMatch }) => isMatch), read: rows.length };
}

/** Few leads are marked, and they are found by that. */
function newestMarked(workspaceId: string, filter: LeadFilter, readMax: number): RawBuilder<unknown> {
  const conditions = [
    ...stretchConditions(workspaceId, filter, { after: null }),
    ...contentConditions(workspaceId, filter),
  ];
  const leads = readable(sql`leads`, filter);
  return sql`select leads.* from ${leads} where ${allOf(conditions)} ${byTime(false)} limit ${readMax}`;
}

function latest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one === undefined || (other !== undefined && other > one) ? other : one;
}

function earliest(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}

/** Those of these leads that match. */
export async function readMatchingToSort(
  db: Queryable,
  workspaceId: string,
  filter: LeadFilter,
  column: SortColumn,
  ids: readonly string[],
): Promise<LeadToSort[]> {
  const conditions = [
    ...stretchConditions(workspaceId, filter, { after: null }),
    sql`submission_id = any (${ids}::uuid[])`,
    ...contentConditions(workspaceId, filter),
  ];
  return rowsOf(
    db,
    sql<LeadToSort>`
      select submission_id as id, received_at as at, ${valueIn(column)} as value
      from ${readable(sql`leads`, filter, isField(column))} where ${allOf(conditions)}`,
  );
}

function valueIn(column: SortColumn): RawBuilder<unknown> {
  switch (column) {
    case 'received':
      return sql`null`;
    case 'score':
      return sql`score::text`;
    case 'grade':
      return sql`to_json(grade)::text`;
    case 'verdict':
      return sql`to_json(verdict)::text`;
    case 'form':
      return sql`to_json(form_id)::text`;
    default: {
      const value = sql`(${contentFields} -> ${column.slice('field.'.length)}::text)`;
      return sql`case jsonb_typeof(${value})
        when 'string' then to_json(left(${value} #>> '{}', ${charactersMax}))::text
        else left(${value}::text, ${charactersMax}) end`;
    }
  }
}

/** How many leads there are in an interval, counting no more than `countMax`. */
export async function countLeads(
  db: Queryable,
  workspaceId: string,
  { from, to, countMax }: { readonly from: Date; readonly to: Date; readonly countMax: number },
): Promise<number> {
  const [row] = await rowsOf(
    db,
    sql<{ readonly count: number }>`
      select count(*)::int as count from (
        select from leads where ${inWorkspace(workspaceId)} and received_at >= ${from} and received_at < ${to}
        limit ${countMax}) as leads`,
  );
  return row?.count ?? 0;
}
