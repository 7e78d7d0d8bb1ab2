import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openTestPool } from '../support/database/database.ts';
import { createDatabaseBefore } from '../support/database/earlier-schema.ts';

test('an upgrade takes from the audit log who suspended a workspace', async () => {
  const database = await createDatabaseBefore('0043');
  const pool = openTestPool(database.url);
  const workspace = async (suspendedAt: string | null) => {
    const id = randomUUID();
    await pool.query(
      `insert into workspaces (id, name, created_at, revision, status, suspended_at)
       values ($1, 'W', '2026-11-01', 1, case when $2::timestamptz is null then 'active' else 'suspended' end, $2)`,
      [id, suspendedAt],
    );
    return id;
  };
  const audited = (id: string, at: string, who: string, changes: object) =>
    pool.query(
      `insert into audit_log (id, workspace_id, at, actor_kind, actor_name, action, target, changes, completed)
       values (gen_random_uuid(), $1, $2, 'person', $3, 'renameSuspendOrResumeAWorkspace', '{}', $4, true)`,
      [id, at, who, changes],
    );
  const suspended = await workspace('2026-11-03');
  await audited(suspended, '2026-11-02', 'first@example.com', { status: 'suspended' });
  await audited(suspended, '2026-11-03', 'grace@example.com', { status: 'suspended' });
  await audited(suspended, '2026-11-04', 'later@example.com', { status: 'suspended', reason: 'x' });
  await audited(suspended, '2026-11-03', 'namer@example.com', { name: 'W' });
  const unknown = await workspace('2026-11-03');
  const resumed = await workspace(null);
  await audited(resumed, '2026-11-02', 'grace@example.com', { status: 'suspended' });

  await migrate(database.url, pool);

  const { rows } = await pool.query(
    `select suspended_by from workspaces where id = any($1) order by array_position($1, id)`,
    [[suspended, unknown, resumed]],
  );
  expect(rows.map((row) => row.suspended_by)).toEqual(['grace@example.com', null, null]);
  await pool.end();
  await database.drop();
});
