import { type RawBuilder, sql } from 'kysely';
import type { Verdict } from '../../domain/score/score.ts';
import type { Position } from '../keyset.ts';

/**
 * How a list of leads is sorted: by keys as domain/lead/blocks/sort-key.ts makes them, and by time if they are the same.
 * Ascending is the same list backwards, except that leads without a value come last in both.
 */
export interface LeadOrder {
  readonly column: SortColumn;
  readonly isAscending: boolean;
  /** The IDs of all forms, sorted by name; only for the column `form`. */
  readonly formIds?: readonly string[] | undefined;
}

export type SortColumn = 'received' | 'score' | 'grade' | 'verdict' | 'form' | `field.${string}`;

export function isField(column: SortColumn): boolean {
  return column.startsWith('field.');
}

export const verdictOrder: readonly Verdict[] = ['clean', 'suspect', 'spam'];

/** What a lead is sorted by. The key is null if the lead has no value. */
export interface SortValue {
  readonly key: string | null;
}

/** A position in a sorted list. `value` is null if the list is sorted by time. */
export interface LeadPlace extends Position {
  readonly value: SortValue | null;
}

export const newestFirst: LeadOrder = { column: 'received', isAscending: false };

/** By time; for rows that are called `leads`, or otherwise. */
export function byTime(isAscending: boolean, rows: 'leads' | 'place' = 'leads'): RawBuilder<unknown> {
  const direction = isAscending ? sql`asc` : sql`desc`;
  return sql`order by ${sql.ref(`${rows}.received_at`)} ${direction}, ${sql.ref(`${rows}.submission_id`)} ${direction}`;
}

/** In the order of a list of IDs. */
export function inOrderOf(ids: readonly string[]): RawBuilder<unknown> {
  return sql`order by array_position(${ids}::uuid[], leads.submission_id)`;
}

/** True for the leads after a place by time. */
export function isAfter(isAscending: boolean, after: Position): RawBuilder<unknown> {
  const follows = isAscending ? sql`>` : sql`<`;
  return sql`(received_at, submission_id) ${follows} (${after.at}::timestamptz, ${after.id}::uuid)`;
}
