import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openTestPool, type TestDatabase } from '../support/database/database.ts';
import { createDatabaseBefore } from '../support/database/earlier-schema.ts';

/** What a database of before knows only from its audit log: who made which link, and who invited whom. */
let database: TestDatabase;
let pool: pg.Pool;
let workspaceId: string;
let minutes = 0;
const later = () => new Date(Date.parse('2026-11-01T00:00:00Z') + ++minutes * 60_000);

beforeAll(async () => {
  database = await createDatabaseBefore('0019');
  pool = openTestPool(database.url);
  workspaceId = randomUUID();
  await pool.query(`insert into workspaces (id, name, created_at, revision) values ($1, 'W', now(), 1)`, [
    workspaceId,
  ]);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function person(name: string): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into people (id, name, email, created_at, updated_at) values ($1, $2, $2 || '@example.com', $3, $3)`,
    [id, name, later()],
  );
  return id;
}

async function audited(actor: { id: string; name: string } | null, action: string, target: object) {
  await pool.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_id, actor_name, action, target, changes, completed)
     values ($1, $2, $3, $4, $5, $6, $7, $8, '{}', true)`,
    [
      randomUUID(),
      workspaceId,
      later(),
      actor === null ? 'operator_key' : 'person',
      actor?.id,
      actor === null ? 'operator' : `${actor.name}@example.com`,
      action,
      target,
    ],
  );
}

async function invitation(email: string): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into invitations (id, workspace_id, email, role, token_hash, created_at, expires_at)
     values ($1, $2, $3, 'member', $4, now(), now() + interval '7 days')`,
    [id, workspaceId, email, randomBytes(32)],
  );
  return id;
}

async function reset(personId: string, madeBy: string): Promise<void> {
  await pool.query(
    `insert into password_resets (token_hash, person_id, made_by, created_at, expires_at)
     values ($1, $2, $3, now(), now() + interval '1 day')`,
    [randomBytes(32), personId, madeBy],
  );
}

test('makers and inviters are found in the audit log, and links of unknown makers are void', async () => {
  const [ada, eve, bob, carl, gone] = await Promise.all(['ada', 'eve', 'bob', 'carl', 'gone'].map(person));
  const adaActor = { id: ada as string, name: 'ada' };
  const eveActor = { id: eve as string, name: 'eve' };
  await audited(adaActor, 'setUpTheService', { person_id: ada });
  const [ofEve, ofKey, ofNobody] = [
    await invitation('a@example.com'),
    await invitation('b@example.com'),
    await invitation('c@example.com'),
  ];
  await audited(eveActor, 'inviteAPerson', { id: ofEve });
  await audited(null, 'inviteAPerson', { id: ofKey });
  // Eve invited Bob, which created Bob's account; Ada added Bob to another workspace later. The operator key created Carl's.
  const used = [randomUUID(), randomUUID(), randomUUID()];
  await audited(eveActor, 'inviteAPerson', { id: used[0] });
  await audited({ id: bob as string, name: 'bob' }, 'acceptAnInvitation', {
    invitation_id: used[0],
    person_id: bob,
  });
  await audited(adaActor, 'inviteAPerson', { id: used[1] });
  await audited({ id: bob as string, name: 'bob' }, 'acceptAnInvitation', {
    invitation_id: used[1],
    person_id: bob,
  });
  await audited(null, 'inviteAPerson', { id: used[2] });
  await audited({ id: carl as string, name: 'carl' }, 'acceptAnInvitation', {
    invitation_id: used[2],
    person_id: carl,
  });
  for (const madeBy of ['operator', 'the person, by mail', 'eve@example.com', 'left@example.com'])
    await reset(gone as string, madeBy);

  await migrate(database.url, pool);

  const made = await pool.query('select id, made_by, made_with_key from invitations');
  expect(made.rows).toEqual(
    expect.arrayContaining([
      { id: ofEve, made_by: eve, made_with_key: false },
      { id: ofKey, made_by: null, made_with_key: true },
      { id: ofNobody, made_by: null, made_with_key: false },
    ]),
  );
  const invited = await pool.query(
    'select name, invited_by_kind as kind, invited_by_id as id, invited_by_name as by from people order by name',
  );
  expect(invited.rows).toEqual([
    { name: 'ada', kind: 'setup', id: null, by: null },
    { name: 'bob', kind: 'person', id: eve, by: 'eve' },
    { name: 'carl', kind: 'operator_key', id: null, by: null },
    { name: 'eve', kind: null, id: null, by: null },
    { name: 'gone', kind: null, id: null, by: null },
  ]);
  const resets = await pool.query('select made_by, operator_id from password_resets order by made_by');
  expect(resets.rows).toEqual([
    { made_by: 'eve@example.com', operator_id: eve },
    { made_by: 'operator', operator_id: null },
    { made_by: 'the person, by mail', operator_id: null },
  ]);
});
