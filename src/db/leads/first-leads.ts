import { type RawBuilder, sql } from 'kysely';
import { inWorkspace } from '../sharded.ts';
import { allOf } from '../sql.ts';
import { isFoundByMark, type LeadFilter, type Stretch, stretchConditions } from './lead-filter.ts';
import { byTime } from './lead-order.ts';
import { leadColumns, leadColumnsAt } from './lead-rows.ts';
import { isCheckedInIndex } from './lead-where.ts';

/**
 * The first `countMax` leads of a stretch that the index of the list does not exclude, in its order. If the index has to check
 * a condition for each lead, they are chosen from the index alone and read afterwards: otherwise PostgreSQL reads each lead that
 * does not match, nearly every one from another page of the table, since leads of other workspaces lie between them.
 */
export function firstLeads(
  workspaceId: string,
  filter: LeadFilter,
  stretch: Stretch,
  countMax: number,
): RawBuilder<unknown> {
  const { isOldestFirst = false } = stretch;
  const conditions = allOf(stretchConditions(workspaceId, filter, stretch));
  const first = (columns: RawBuilder<unknown>) =>
    sql`select ${columns} from leads where ${conditions} ${byTime(isOldestFirst)} limit ${countMax}`;
  if (!isChosenInIndex(filter)) return first(leadColumns);
  // Reading each by its key, however many PostgreSQL expects.
  return sql`
    select ${leadColumnsAt('place')} from (${first(sql`received_at, submission_id`)}) as place
    cross join lateral (
      select * from leads where ${inWorkspace(workspaceId)} and submission_id = place.submission_id offset 0) as leads
    ${byTime(isOldestFirst, 'place')}`;
}

/** Whether leads are chosen from the index alone. */
function isChosenInIndex({ where = [], ...filter }: LeadFilter): boolean {
  return !isFoundByMark(filter) && where.some(isCheckedInIndex);
}
