import { sql } from 'kysely';
import type pg from 'pg';
import { onlyRow, rowsOf, run } from '../sql.ts';
import { readLayout } from './cluster.ts';
import { DistributionError } from './distribution-error.ts';
import { bucketsTable } from './hot-tables.ts';

export type TableStep =
  | { readonly kind: 'waiting'; readonly tables: readonly string[] }
  | { readonly kind: 'copying'; readonly table: string; readonly rows: number; readonly bytes: number }
  | { readonly kind: 'copied'; readonly table: string; readonly rows: number }
  | { readonly kind: 'cleaning'; readonly tables: readonly string[] };

type Tell = (step: TableStep) => void;

export async function haveRows(client: pg.ClientBase, tables: readonly string[]): Promise<boolean> {
  const each = tables.map((name) => sql`exists (select from ${sql.table(name)})`);
  const { isFilled } = await onlyRow(
    client,
    sql<{ isFilled: boolean }>`select ${sql.join(each, sql` or `)} as "isFilled"`,
  );
  return isFilled;
}

/** Distributes tables with their rows, in the caller's transaction. Nobody writes to them until it ends. */
export async function distributeTables(
  client: pg.ClientBase,
  tables: readonly string[],
  tell: Tell,
): Promise<void> {
  if (tables.length === 0) return;
  tell({ kind: 'waiting', tables });
  const locked = sql.join(tables.map((name) => sql.table(name)));
  await run(client, sql`lock table ${locked} in exclusive mode`);
  for (const name of tables) await distributeTable(client, name, tell);
}

async function distributeTable(client: pg.ClientBase, table: string, tell: Tell): Promise<void> {
  const rows = await countRows(client, table);
  const { bytes } = await onlyRow(
    client,
    sql<{ bytes: number }>`select pg_total_relation_size(${table}::regclass)::float8 as bytes`,
  );
  tell({ kind: 'copying', table, rows, bytes });
  await run(
    client,
    sql`select create_distributed_table(${table}, 'shard', colocate_with => ${bucketsTable})`,
  );
  // Counted on the nodes from here on.
  const copied = await countRows(client, table);
  if (copied !== rows)
    throw new DistributionError(
      `The nodes have ${copied} of the ${rows} rows of ${table}. Nothing was distributed.`,
    );
  tell({ kind: 'copied', table, rows });
}

async function countRows(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await onlyRow(
    client,
    sql<{ rows: number }>`select count(*)::float8 as rows from ${sql.table(table)}`,
  );
  return rows;
}

/** The rows that the coordinator had. Distributed tables do not show them, but they still take space on its disk. */
export async function removeLocalCopies(client: pg.ClientBase, tell: Tell): Promise<void> {
  const { distributed } = await readLayout(client);
  const left = await rowsOf(
    client,
    sql<{ name: string }>`select name from unnest(${[...distributed]}::text[]) as name
      where pg_relation_size(name::regclass) > 0`,
  );
  if (left.length === 0) return;
  const tables = left.map(({ name }) => name);
  tell({ kind: 'cleaning', tables });
  for (const name of tables) {
    await run(client, sql`select truncate_local_data_after_distributing_table(${name}::regclass)`);
    // The nodes know nothing about the rows that were copied to them, so their first plans would be poor.
    await run(client, sql`analyze ${sql.table(name)}`);
  }
}
