import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../../src/db/migrate.ts';
import { openTestPool, type TestDatabase } from '../../support/database/database.ts';
import { createDatabaseBefore } from '../../support/database/earlier-schema.ts';

let database: TestDatabase;
let pool: pg.Pool;
let first: string;
let second: string;
let minutes = 0;

/** Later with each call, so that the order of calls is the order of events. */
const later = () => new Date(Date.parse('2026-11-01T00:00:00Z') + ++minutes * 60_000);

interface Form {
  readonly slug: string;
  readonly name?: string;
  readonly deleted?: boolean;
}

async function workspace(): Promise<string> {
  const id = randomUUID();
  await pool.query(`insert into workspaces (id, name, created_at, revision) values ($1, 'W', now(), 1)`, [
    id,
  ]);
  return id;
}

/** As it stands at the time of the migration; how it came to be, the audit log tells. */
async function form(workspaceId: string, { slug, name = 'Form', deleted = false }: Form): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into forms (id, workspace_id, name, slug, active, created_at, deleted_at, revision)
     values ($1, $2, $3, $4, true, $5, $6, 1)`,
    [id, workspaceId, name, slug, later(), deleted ? new Date('2026-10-31T00:00:00Z') : null],
  );
  return id;
}

async function audited(
  workspaceId: string,
  action: string,
  target: object,
  changes: object,
  completed = true,
) {
  const values = [randomUUID(), workspaceId, later(), action, target, changes, completed];
  await pool.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_name, action, target, changes, completed)
     values ($1, $2, $3, 'operator_key', 'operator', $4, $5, $6, $7)`,
    values,
  );
}
const created = (workspaceId: string, id: string, changes: object) =>
  audited(workspaceId, 'createAForm', { id }, changes);
const changed = (workspaceId: string, form_id: string, changes: object, completed = true) =>
  audited(workspaceId, 'changeAForm', { form_id }, changes, completed);

beforeAll(async () => {
  database = await createDatabaseBefore('0017_former_slugs.sql');
  pool = openTestPool(database.url);
  [first, second] = [await workspace(), await workspace()];
  await fill();
  await migrate(database.url, pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function fill(): Promise<void> {
  await form(first, { slug: 'deleted', deleted: true });
  await form(first, { slug: 'deleted-and-used-by-another', deleted: true });
  await form(second, { slug: 'deleted-and-used-by-another' });
  await form(first, { slug: 'deleted-and-used-again', deleted: true });
  await form(first, { slug: 'deleted-and-used-again' });

  const renamed = await form(first, { slug: 'third' });
  await created(first, renamed, { name: 'Form', slug: 'first' });
  await changed(first, renamed, { name: 'Form', slug: 'first' });
  await changed(first, renamed, { slug: 'second' });
  await changed(first, renamed, { slug: 'third' });
  await changed(first, renamed, { name: 'Form' });

  const returned = await form(first, { slug: 'home' });
  await created(first, returned, { name: 'Form', slug: 'home' });
  await changed(first, returned, { slug: 'away' });
  await changed(first, returned, { slug: 'home' });

  const ofFirst = await form(first, { slug: 'other-1' });
  await created(first, ofFirst, { name: 'Form', slug: 'had-by-both' });
  await changed(first, ofFirst, { slug: 'other-1' });
  const ofSecond = await form(second, { slug: 'other-2' });
  await created(second, ofSecond, { name: 'Form', slug: 'had-by-both' });
  await changed(second, ofSecond, { slug: 'other-2' });

  // The form got "uber-uns", which nobody has written down; or maybe, for the second of the name, another.
  const unnamed = await form(first, { slug: 'about', name: 'About' });
  await created(first, unnamed, { name: 'Über uns', active: true });
  await changed(first, unnamed, { slug: 'about', name: 'About' });
  const numbered = await form(second, { slug: 'contact-2', name: 'Contact' });
  await created(second, numbered, { name: 'Contact' });
  await changed(second, numbered, { slug: 'contact-2', name: 'Contact' });
  const starter = await form(second, { slug: 'site', name: 'Website contact' });
  await changed(second, starter, { slug: 'site' });

  // A change that may not have happened yields to whoever had the slug for certain.
  const unsure = await form(second, { slug: 'sure' });
  await created(second, unsure, { name: 'Form', slug: 'sure' });
  await changed(second, unsure, { slug: 'deleted' }, false);
  await changed(second, unsure, { slug: 'perhaps' }, false);
}

test('each slug that a workspace is known to have freed is a former slug, unless a form uses it', async () => {
  const { rows } = await pool.query('select slug, workspace_id from former_slugs order by slug');
  const owners = new Map([
    [first, 'first'],
    [second, 'second'],
  ]);
  expect(rows.map(({ slug, workspace_id }) => [slug, owners.get(workspace_id)])).toEqual([
    ['away', 'first'],
    ['deleted', 'first'],
    ['first', 'first'],
    ['had-by-both', 'second'],
    ['perhaps', 'second'],
    ['second', 'first'],
    ['uber-uns', 'first'],
    ['website-contact', 'second'],
  ]);
});

test('a former slug has the time of the change that freed it', async () => {
  const timeOf = async (slug: string) => {
    const { rows } = await pool.query('select freed_at from former_slugs where slug = $1', [slug]);
    return rows[0].freed_at;
  };
  const timeOfChange = async (slug: string) => {
    const { rows } = await pool.query(`select at from audit_log where changes ->> 'slug' = $1`, [slug]);
    return rows[0].at;
  };
  expect(await timeOf('deleted')).toEqual(new Date('2026-10-31T00:00:00Z'));
  expect(await timeOf('first')).toEqual(await timeOfChange('second'));
  expect(await timeOf('second')).toEqual(await timeOfChange('third'));
});
