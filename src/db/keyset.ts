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
