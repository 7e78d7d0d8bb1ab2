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
