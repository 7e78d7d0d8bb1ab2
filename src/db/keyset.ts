import { type RawBuilder, sql } from 'kysely';

/**
 * A position in a list that is ordered newest first. The service writes times in whole milliseconds, so a Date holds
 * them without loss.
 */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

export interface PageRequest {
  readonly after: Position | null;
  readonly limit: number;
}

/** True for the rows after a position in the list; true for all rows if it is null. Columns are given as `m.created_at`. */
export function comesAfter(after: Position | null, at: string, id: string): RawBuilder<boolean> {
  if (after === null) return sql`true`;
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) < (${after.at}::timestamptz, ${after.id}::uuid)`;
}

/** For lists whose rows can be large. */
export interface LargePageRequest extends PageRequest {
  /** The row that exceeds this many bytes of JSON in total is the last one. */
  readonly bytesMax: number;
}

/** A page of a list whose rows can be large. */
export interface RowsWithinBytes<Row> {
  readonly rows: readonly Row[];
  /** True when further rows were left out because of their size. */
  readonly isCut: boolean;
}
