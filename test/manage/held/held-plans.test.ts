import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as counts from '../../../src/db/held/held-counts.ts';
import { findHeld, listHeld } from '../../../src/db/held/held-list.ts';
import { deleteHeldCopies, listWithExpiredHeld } from '../../../src/db/held/held-removal.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';

const workspaceId = randomUUID();
const formId = randomUUID();
const now = new Date('2026-11-15T08:00:00Z');

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;

/** A full workspace between many others. */
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
  client = await pool.connect();
  await client.query(
    `insert into held_submissions (shard, workspace_id, id, form_id, surface, reason, class, received_at, request_id,
       body_bytes, body_hash, sealed, state, expires_at)
     select w.shard, w.id, gen_random_uuid(), $3, 'server', case n % 3 when 0 then 'form_inactive' else 'rate_limited_day' end,
       'A', $4::timestamptz - n * interval '1 second', 'request', 800, sha256(n::text::bytea), sha256(n::text::bytea) || repeat('x', 800)::bytea,
       case n % 5 when 0 then 'discarded' else 'held' end, $4::timestamptz + interval '1 day' - n * interval '1 second'
     from generate_series(1, 40000) as n
     cross join lateral (
       select $1::smallint as shard, $2::uuid as id where n % 2 = 0
       union all select n % 64, md5((n % 100)::text)::uuid where n % 2 = 1) as w`,
    [shardOf(workspaceId), workspaceId, formId, now],
  );
  await client.query('vacuum analyze held_submissions');
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

/** The plans of the statements that it runs. */
async function plansOf(ask: (db: pg.PoolClient) => Promise<unknown>): Promise<string> {
  const plans: string[] = [];
  const explaining = new Proxy(client, {
    get: (target, name) =>
      name === 'query'
        ? async (text: string, values: unknown[]) => {
            const { rows } = await target.query(`explain ${text}`, values);
            plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
            return target.query(text, values);
          }
        : Reflect.get(target, name),
  });
  await ask(explaining);
  return plans.join('\n');
}

const page = { after: { at: now, id: randomUUID() }, limit: 51 };

test.each<[string, (db: pg.PoolClient) => Promise<unknown>, string]>([
  ['a page', (db) => listHeld(db, workspaceId, { state: 'held' }, now, page), 'held_submissions_newest'],
  [
    'a page of a reason',
    (db) => listHeld(db, workspaceId, { state: 'held', reason: 'form_inactive' }, now, page),
    'held_submissions_newest',
  ],
  ['one', (db) => findHeld(db, workspaceId, randomUUID(), now), 'held_submissions_pkey'],
  [
    'which rejections of a page are held',
    (db) => counts.findHeldAmong(db, workspaceId, [randomUUID(), randomUUID()], now),
    'held_submissions_pkey',
  ],
  [
    'what is past its time',
    (db) => listWithExpiredHeld(db, shardOf(workspaceId), now),
    'held_submissions_expiry',
  ],
  [
    'copies of a body',
    (db) => deleteHeldCopies(db, workspaceId, [Buffer.alloc(32)], []),
    'held_submissions_bodies',
  ],
])('%s is read by an index', async (_, ask, index) => {
  const plans = await plansOf(ask);
  expect(plans).toContain(index);
  expect(plans).not.toMatch(/Seq Scan on held_submissions|Sort Key: received_at/);
});

test.each<[string, (db: pg.PoolClient) => Promise<unknown>]>([
  ['the summary', (db) => counts.countHeldByReason(db, workspaceId, undefined, now)],
  ['the summary of a form', (db) => counts.countHeldByReason(db, workspaceId, formId, now)],
  [
    'the counts of diagnostics',
    (db) => counts.countHeldWithin(db, workspaceId, { from: new Date(0), to: now, formId }, now),
  ],
])('%s is counted by an index alone, without reading what is held', async (_, ask) => {
  const plans = await plansOf(ask);
  expect(plans).toContain('Index Only Scan using held_submissions_by_reason');
});
