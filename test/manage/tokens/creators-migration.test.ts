import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/db/migrate.ts';
import { openTestPool, type TestDatabase } from '../../support/database/database.ts';
import { createDatabaseBefore } from '../../support/database/earlier-schema.ts';

let database: TestDatabase;
let pool: pg.Pool;
const workspaceId = randomUUID();
const formId = randomUUID();

beforeAll(async () => {
  database = await createDatabaseBefore('0039');
  pool = openTestPool(database.url);
  await pool.query(`insert into workspaces (id, name, created_at, revision) values ($1, 'W', now(), 1)`, [
    workspaceId,
  ]);
  await pool.query(
    `insert into forms (id, workspace_id, name, slug, active, created_at, revision)
     values ($1, $2, 'Form', 'form', true, now(), 1)`,
    [formId, workspaceId],
  );
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** With an entry in the audit log, unless the actor is null. */
async function token(actor: { kind: string; id: string | null } | null, action = 'createAnIngestToken') {
  const id = randomUUID();
  await pool.query(
    `insert into tokens (id, workspace_id, form_id, name, type, hash, hint, created_at, revision)
     values ($1, $2, $3, 'Backend', 'server', $4, '', now(), 1)`,
    [id, workspaceId, formId, randomBytes(32)],
  );
  if (actor === null) return id;
  await pool.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_id, actor_name, action, target, changes, completed)
     values ($1, $2, now(), $3, $4, 'name', $5, $6, '{}', true)`,
    [randomUUID(), workspaceId, actor.kind, actor.id, action, { id }],
  );
  return id;
}

test('who created older tokens is taken from the audit log, and stays unknown without an entry', async () => {
  const ada = { kind: 'person', id: randomUUID() };
  const program = { kind: 'api_key', id: randomUUID() };
  const operator = { kind: 'operator_key', id: null };
  const ids = [
    await token(ada),
    await token(ada, 'rotateAnIngestToken'),
    await token(program),
    await token(operator),
    await token(null),
  ];
  await migrate(database.url, pool);
  const { rows } = await pool.query(
    'select creator_kind as kind, creator_id as id from tokens order by array_position($1::uuid[], id)',
    [ids],
  );
  expect(rows).toEqual([ada, ada, program, operator, { kind: null, id: null }]);
});
