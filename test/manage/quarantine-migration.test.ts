import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openTestPool } from '../support/database/database.ts';
import { createDatabaseBefore } from '../support/database/earlier-schema.ts';

test('of rows that a repeated drain quarantined twice, the first stays, and no other row is removed', async () => {
  const database = await createDatabaseBefore('0022_quarantine_and_erasures.sql');
  const pool = openTestPool(database.url);
  const [workspace, other, submission] = [randomUUID(), randomUUID(), randomUUID()];
  const put = (at: string, of: string, reason: string, body: string) =>
    pool.query(
      `insert into spool_quarantine (at, reason, workspace_id, submission_id, received_at, surface, body)
       values ($1, $2, $3, $4, $1, 'server', $5)`,
      [at, reason, of, submission, Buffer.from(body)],
    );
  await put('2026-11-01T00:00:03Z', workspace, 'refused', '{}');
  await put('2026-11-01T00:00:01Z', workspace, 'refused', '{}');
  await put('2026-11-01T00:00:01Z', workspace, 'refused', '{}');
  await put('2026-11-01T00:00:04Z', workspace, 'refused', '{"n":1}');
  await put('2026-11-01T00:00:05Z', workspace, 'other_body', '{}');
  await put('2026-11-01T00:00:06Z', other, 'refused', '{}');
  await migrate(database.url, pool);
  const { rows } = await pool.query(
    'select extract(second from at)::int as second from spool_quarantine order by at',
  );
  expect(rows.map(({ second }) => second)).toEqual([1, 4, 5, 6]);
  await pool.end();
  await database.drop();
});
