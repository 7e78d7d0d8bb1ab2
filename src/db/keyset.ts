import { type RawBuilder, sql } from 'kysely';

/**
 * A place in a list that is ordered newest first. The service writes times in whole milliseconds, so a Date
 * holds them without loss.
 */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface PageRequest {
  readonly after: Position | null;
  readonly limit: number;
}

/** True of the rows behind a position in the list, or of all without one. Columns as in `m.created_at`. */
export function comesAfter(after: Position | null, at: string, id: string): RawBuilder<boolean> {
  if (after === null) return sql`true`;
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) < (${after.at}::timestamptz, ${after.id}::uuid)`;
}

/** For lists whose rows can be large. */
export interface LargePageRequest extends PageRequest {
  /** The row that passes this many bytes of JSON is the last one. */
  readonly bytesMax: number;
}

/** What was read of a list whose rows can be large. */
export interface RowsWithinBytes<Row> {
  readonly rows: readonly Row[];
  /** There are more, which were not sent because of their size. */
  readonly isCut: boolean;
}
