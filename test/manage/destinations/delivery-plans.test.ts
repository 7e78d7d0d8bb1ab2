import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as lists from '../../../src/db/deliver/delivery-lists.ts';
import * as replays from '../../../src/db/deliver/delivery-replays.ts';
import { readDestinationDays } from '../../../src/db/deliver/destination-days.ts';
import { deleteOldAttempts, deleteOldDeliveries, deleteOldEvents } from '../../../src/db/housekeeping.ts';
import * as feed from '../../../src/db/relay/event-feed.ts';
import { firstDeliveryId } from '../../../src/domain/destination/delivery-id.ts';
import { deliveryStates } from '../../../src/domain/destination/destination.ts';
import { shardOf } from '../../../src/domain/workspace.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';

const workspaceId = randomUUID();
const busy = randomUUID();
const quiet = randomUUID();
const newest = new Date('2026-11-15T08:00:00Z');
const hourAgo = new Date(newest.getTime() - 3_600_000);

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;
let deliveryId: string;
let submissionId: string;

/** So many deliveries, nearly all delivered to one destination, that reading all of them would never be the cheaper way. */
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
  client = await pool.connect();
  await client.query(
    `insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, submission_id, state,
       next_at, created_at, last_ms)
     select w.shard, w.id, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || substr(md5(n::text), 13))::uuid,
       case when n % 1000 = 2 then $4::uuid else $3::uuid end, n, 'lead.accepted', at, gen_random_uuid(),
       case n % 2000 when 4 then 'dead' when 6 then 'pending' when 8 then 'skipped' else 'delivered' end, at, at, 10
     from generate_series(1, 60000) as n
     cross join lateral (select $5::timestamptz - n * interval '1 second' as at) as t
     cross join lateral (
       select $1::smallint as shard, $2::uuid as id where n % 2 = 0
       union all select n % 64, md5((n % 100)::text)::uuid where n % 2 = 1
     ) as w`,
    [shardOf(workspaceId), workspaceId, busy, quiet, newest],
  );
  await client.query(
    `insert into leads (shard, workspace_id, submission_id, form_id, surface, received_at, body, fields, score, risk, grade,
       verdict, reasons, ruleset)
     select shard, workspace_id, submission_id, gen_random_uuid(), 'server', created_at, 'body', '{}', 40, 0, 'B', 'clean',
       '[]', 'test' from deliveries`,
  );
  await client.query(
    `insert into delivery_attempts (shard, workspace_id, delivery_id, n, at, ms)
     select shard, workspace_id, id, 1, created_at, 10 from deliveries`,
  );
  await client.query(
    `insert into lead_events (shard, workspace_id, id, type, at)
     select n % 2 * $1, case when n % 2 = 1 then $2::uuid else md5((n % 100)::text)::uuid end, n, 'lead.accepted', now()
     from generate_series(1, 40000) as n`,
    [shardOf(workspaceId), workspaceId],
  );
  await client.query(
    `insert into event_counters (shard, workspace_id, last) select $1::smallint, $2::uuid, 1
     union all select n % 256, gen_random_uuid(), 1 from generate_series(1, 20000) as n`,
    [shardOf(workspaceId), workspaceId],
  );
  const { rows } = await client.query(
    `select id, submission_id from deliveries where workspace_id = $1 and state = 'dead' limit 1`,
    [workspaceId],
  );
  deliveryId = rows[0].id;
  submissionId = rows[0].submission_id;
  await client.query('vacuum analyze deliveries, delivery_attempts, lead_events, event_counters, leads');
});
afterAll(async () => {
  client.release();
  await pool.end();
  await database.drop();
});

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

const hotTables = ['deliveries', 'delivery_attempts', 'lead_events', 'event_counters', 'leads'];

/** How the hot tables were reached, and how many rows were read there. */
async function scansOf(work: (db: pg.PoolClient) => Promise<unknown>): Promise<Plan[]> {
  const scans: Plan[] = [];
  const keep = (plan: Plan) => {
    if (hotTables.includes(plan['Relation Name'] ?? '') && plan['Node Type'] !== 'ModifyTable')
      scans.push(plan);
    for (const inner of plan.Plans ?? []) keep(inner);
  };
  const query = async (sql: string, values: unknown[]) => {
    await client.query('savepoint explained');
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${sql}`, values);
    keep(rows[0]['QUERY PLAN'][0].Plan);
    await client.query('rollback to savepoint explained');
    return client.query(sql, values);
  };
  await client.query('begin');
  try {
    await work({ query } as unknown as pg.PoolClient);
  } finally {
    await client.query('rollback');
  }
  return scans;
}

const rowsMax = 3_000;

function expectShort(scans: readonly Plan[]): void {
  expect(scans.length).toBeGreaterThan(0);
  for (const scan of scans) {
    const { 'Node Type': type, 'Actual Loops': loops = 1 } = scan;
    expect(type).toMatch(/^(?:Index Scan|Index Only Scan|Bitmap Heap Scan)$/);
    if (type !== 'Bitmap Heap Scan') {
      expect(scan['Index Cond']).toContain('shard = ');
      expect(scan['Index Cond']).toContain('workspace_id = ');
    }
    const read = ((scan['Actual Rows'] ?? 0) + (scan['Rows Removed by Filter'] ?? 0)) * loops;
    expect(read, JSON.stringify(scan)).toBeLessThanOrEqual(rowsMax);
  }
}

const range = { from: hourAgo, to: newest };
const selections: [string, lists.DeliverySelection][] = [
  ['nothing', {}],
  ['a destination', { destinationId: busy }],
  ['a destination with few', { destinationId: quiet }],
  ['a destination without any', { destinationId: randomUUID() }],
  ['a time', range],
  ...deliveryStates.flatMap((state): [string, lists.DeliverySelection][] => [
    [`the state ${state}`, { state }],
    [`a destination and the state ${state}`, { destinationId: busy, state }],
    [`a destination, the state ${state} and a time`, { destinationId: busy, state, ...range }],
  ]),
];
const positions = { after: { at: hourAgo, id: firstDeliveryId(hourAgo) } };

test.each(selections)('a list by %s reads only what it shows', async (_, selection) => {
  for (const after of [null, positions.after])
    expectShort(
      await scansOf((db) => lists.listDeliveries(db, workspaceId, selection, { after, limit: 51 })),
    );
});

test.each([...selections.slice(0, 4), ['a state', { state: 'dead' }] as const])(
  'the deliveries of a lead by %s are found by the lead',
  async (_, selection) => {
    const filter = { ...selection, submissionId };
    const scans = await scansOf((db) =>
      lists.listDeliveries(db, workspaceId, filter, { after: null, limit: 51 }),
    );
    expectShort(scans);
  },
);

const others: Record<string, (db: pg.PoolClient) => Promise<unknown>> = {
  'one delivery': (db) => lists.findDelivery(db, workspaceId, deliveryId),
  'its attempts': (db) => lists.listAttempts(db, workspaceId, deliveryId),
  'its lock': (db) => replays.lockDelivery(db, workspaceId, deliveryId),
  'its replays': (db) =>
    replays.findRecentReplay(
      db,
      workspaceId,
      { id: deliveryId, destinationId: busy, submissionId, state: 'dead' },
      hourAgo,
    ),
  'a new replay': (db) =>
    replays.insertReplayed(db, workspaceId, deliveryId, { id: randomUUID(), at: newest }),
  'a new time': (db) => replays.hastenDelivery(db, workspaceId, deliveryId, newest),
  'what is cancelled': (db) => replays.cancelWaiting(db, workspaceId, busy, 'Deleted.', 1_000),
  'the next events': (db) => feed.listEvents(db, workspaceId, { after: 20_000, limit: 501 }),
  'the last number': (db) => feed.findLastNumber(db, workspaceId),
  'the numbers of destinations': (db) =>
    readDestinationDays(db, workspaceId, [busy, quiet], { now: newest, countMax: 1_000 }),
};
test.each(Object.entries(others))('%s: found without reading the whole table', async (_, work) => {
  expectShort(await scansOf(work));
});

test('of a selection that is sent again, each step reads what it adds', async () => {
  const next = { destinationIds: [busy, quiet], afterId: null, lastId: firstDeliveryId(newest) };
  for (const [, selection] of selections) {
    const step = { ...next, selection };
    expectShort(await scansOf((db) => replays.listReplayable(db, workspaceId, step, 500)));
  }
});

test('what is old is deleted without reading what is not', async () => {
  const before = newest.getTime() - 59_000_000;
  const shard = shardOf(workspaceId);
  for (const deleteOld of [deleteOldAttempts, deleteOldDeliveries, deleteOldEvents]) {
    const scans = await scansOf((db) => deleteOld(db, shard, before, 5_000));
    const read = scans.map(
      (scan) =>
        ((scan['Actual Rows'] ?? 0) + (scan['Rows Removed by Filter'] ?? 0)) * (scan['Actual Loops'] ?? 1),
    );
    expect(Math.max(...read), JSON.stringify(scans)).toBeLessThan(600);
  }
});
