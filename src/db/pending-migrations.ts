import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Queryable } from './pool.ts';
import { onlyRow, rowsOf } from './sql.ts';

export const migrationsDir = join(import.meta.dirname, '../../migrations');

/** The migrations that were not applied to this database yet. */
export async function pendingMigrations(db: Queryable): Promise<string[]> {
  const known = readdirSync(migrationsDir)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length));
  const { isThere } = await onlyRow(
    db,
    sql<{ isThere: boolean }>`select to_regclass('public.migrations') is not null as "isThere"`,
  );
  if (!isThere) return known.toSorted();
  const applied = await rowsOf(db, sql<{ name: string }>`select name from migrations`);
  const names = new Set(applied.map(({ name }) => name));
  return known.filter((name) => !names.has(name)).toSorted();
}
