import { type RawBuilder, sql } from 'kysely';
import type { RowsWithinBytes } from './keyset.ts';

interface Bounded<Row> {
  /** The ordered and limited list of rows. */
  readonly list: RawBuilder<Row>;
  /** In the column names of the list. */
  readonly order: RawBuilder<unknown>;
  /** The jsonb that makes rows large. */
  readonly column: keyof Row & string;
  readonly bytesMax: number;
}

/**
 * The first rows of a list, up to the one that exceeds `bytesMax` of JSON in total. Only rows whose stored size, which is
 * known without reading them, also fits are converted to text and measured.
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
