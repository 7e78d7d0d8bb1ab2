import { expect, test } from 'vitest';
import { bucketsTable, hotTables } from '../../src/db/citus/hot-tables.ts';
import { createTestDatabase, openTestPool } from '../support/database/database.ts';

test('every table whose primary key leads with shard is in the list of hot tables, and no other', async () => {
  const database = await createTestDatabase();
  const pool = openTestPool(database.url);
  const { rows } = await pool.query(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
     join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
     where i.indisprimary and a.attname = 'shard' and c.relnamespace = 'public'::regnamespace`,
  );
  await pool.end();
  await database.drop();
  const named = rows.map(({ name }) => name).filter((name) => name !== bucketsTable);
  expect(named.toSorted()).toEqual([...hotTables].toSorted());
});
