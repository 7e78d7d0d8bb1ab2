import { type RawBuilder, sql } from 'kysely';
import type { RowsWithinBytes } from './keyset.ts';

interface Bounded<Row> {
  /** The rows in their order and number; whatever it is, no more of them is sent than allowed. */
  readonly list: RawBuilder<Row>;
  /** As it is called in the list. */
  readonly order: RawBuilder<unknown>;
  /** The jsonb that makes rows large. */
  readonly column: keyof Row & string;
  readonly bytesMax: number;
}

/**
 * The first rows of a list, up to the one that passes so many bytes of JSON. How much room each takes on the disk is
 * known without reading it, and bounds how many are written as text to be measured.
 */
export function withinBytes<Row>({ list, order, column, bytesMax }: Bounded<Row>) {
  const large = sql.ref(column);
  const before = sql`order by ${order} rows between unbounded preceding and 1 preceding`;
  return sql<Row & { readonly rowCount: number }>`
    select * from (
      select *, coalesce(sum(octet_length(${large}::text)) over (${before}), 0) as "bytesBefore"
      from (
        select *, count(*) over () as "rowCount",
          coalesce(sum(pg_column_size(${large})) over (${before}), 0) as "storedBytesBefore"
        from (${list}) as list
      ) as list
      where "storedBytesBefore" < ${bytesMax}
    ) as list
    where "bytesBefore" < ${bytesMax} order by ${order}`;
}

export function rowsWithinBytes<Row>(
  rows: readonly (Row & { readonly rowCount: number })[],
): RowsWithinBytes<Row> {
  return { rows, isCut: rows.length < (rows[0]?.rowCount ?? 0) };
}
