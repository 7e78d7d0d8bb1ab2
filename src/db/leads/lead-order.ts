import { type RawBuilder, sql } from 'kysely';
import type { Verdict } from '../../domain/score/score.ts';
import type { Position } from '../keyset.ts';
import { numberIn } from './lead-where.ts';

/**
 * How a list of leads is sorted. `asc` is the same list backwards, except that leads without a value come last in both.
 *
 *   rank   what it is           compared by
 *   0      a number, also text  `number`
 *   1      other text           `text`: its first 100 characters in lower case, accents after their letter
 *   2      nothing              the time
 *
 * Text that is empty, `[]` or `{}` is nothing. Leads with the same value are sorted by the time they were received.
 */
export interface LeadOrder {
  readonly column: SortColumn;
  readonly isAscending: boolean;
  /** The IDs of all forms, sorted by name; only for the column `form`. */
  readonly formIds?: readonly string[] | undefined;
}

export type SortColumn = 'received' | 'score' | 'grade' | 'verdict' | 'form' | `field.${string}`;

export const verdictOrder: readonly Verdict[] = ['clean', 'suspect', 'spam'];

export interface SortValue {
  readonly rank: number;
  readonly number: string;
  readonly text: string;
}

/** A position in a sorted list. `value` is null if the list is sorted by time. */
export interface LeadPlace extends Position {
  readonly value: SortValue | null;
}

export const newestFirst: LeadOrder = { column: 'received', isAscending: false };

const textCharactersMax = 100;
const noValue = 2;

/** The columns `sort_rank`, `sort_number` and `sort_text` of a lead. */
export function sortColumns({ column, formIds = [] }: LeadOrder): RawBuilder<unknown> {
  const of = (rank: RawBuilder<unknown>, number: RawBuilder<unknown>, text: RawBuilder<unknown>) =>
    sql`(${rank})::smallint as sort_rank, (${number})::numeric as sort_number, (${text}) collate "C" as sort_text`;
  if (column === 'received') return of(sql`0`, sql`0`, sql`''`);
  if (column === 'score') return of(sql`0`, sql`leads.score`, sql`''`);
  if (column === 'grade') return of(sql`1`, sql`0`, sql`lower(leads.grade)`);
  if (column === 'verdict') return of(sql`0`, placeIn(verdictOrder, sql`leads.verdict`, 'text[]'), sql`''`);
  if (column === 'form') return of(sql`0`, placeIn(formIds, sql`leads.form_id`, 'uuid[]'), sql`''`);
  const value = sql`btrim(leads.fields ->> ${column.slice('field.'.length)}::text)`;
  const number = numberIn(value);
  const isNothing = sql`coalesce(${value}, '') in ('', '[]', '{}')`;
  return of(
    sql`case when ${isNothing} then ${noValue} when ${number} is null then 1 else 0 end`,
    sql`coalesce(${number}, 0)`,
    sql`case when ${isNothing} or ${number} is not null then ''
      else left(normalize(lower(left(${value}, ${textCharactersMax})), NFD), ${textCharactersMax}) end`,
  );
}

/** Counted from 0; after all others if it is not in the list. */
function placeIn(list: readonly string[], value: RawBuilder<unknown>, type: 'text[]' | 'uuid[]') {
  return sql`coalesce(array_position(${list}::${sql.raw(type)}, ${value}) - 1, ${list.length})`;
}

/** As a value of a lead that `chosen` has selected. */
export const sortValue = sql`jsonb_build_object(
  'rank', leads.sort_rank, 'number', leads.sort_number::text, 'text', leads.sort_text)`;

/** For rows that are called `leads` and have the columns of `sortColumns` unless they are sorted by time. */
export function orderBy({ column, isAscending }: LeadOrder): RawBuilder<unknown> {
  const direction = isAscending ? sql`asc` : sql`desc`;
  const byTime = sql`leads.received_at ${direction}, leads.submission_id ${direction}`;
  if (column === 'received') return sql`order by ${byTime}`;
  return sql`order by leads.sort_rank = ${noValue}, leads.sort_rank ${direction}, leads.sort_number ${direction},
    leads.sort_text ${direction}, ${byTime}`;
}

/** True for the leads after a place. */
export function isAfter({ column, isAscending }: LeadOrder, after: LeadPlace | null): RawBuilder<unknown> {
  if (after === null) return sql`true`;
  const follows = isAscending ? sql`>` : sql`<`;
  const byTime = sql`(received_at, submission_id) ${follows} (${after.at}::timestamptz, ${after.id}::uuid)`;
  if (column === 'received' || after.value === null) return byTime;
  const { rank, number, text } = after.value;
  if (rank === noValue) return sql`sort_rank = ${noValue} and ${byTime}`;
  return sql`(sort_rank = ${noValue} or (sort_rank, sort_number, sort_text, received_at, submission_id) ${follows}
    (${rank}::smallint, ${number}::numeric, ${text}::text collate "C", ${after.at}::timestamptz, ${after.id}::uuid))`;
}
