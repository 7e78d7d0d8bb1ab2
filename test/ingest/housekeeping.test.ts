import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstDeliveryId } from '../../src/domain/destination/delivery-id.ts';
import { Housekeeping } from '../../src/ingest/housekeeping.ts';
import { dayMs } from '../../src/time/clock.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { ManualClock } from '../support/clocks.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let pool: pg.Pool;
let housekeeping: Housekeeping;
/** Without a service, which would work on the same rows. */
let quiet: { readonly database: TestDatabase; readonly pool: pg.Pool; readonly housekeeping: Housekeeping };

beforeAll(async () => {
  service = await startTestService({ clock });
  pool = openTestPool(service.databaseUrl);
  const deps = { clock, randomness: systemRandomness, log: pino({ level: 'silent' }) };
  housekeeping = new Housekeeping({ ...deps, pool });
  const database = await createTestDatabase();
  const quietPool = openTestPool(database.url);
  quiet = { database, pool: quietPool, housekeeping: new Housekeeping({ ...deps, pool: quietPool }) };
});
afterAll(async () => {
  await pool.end();
  await service.stop();
  await quiet.pool.end();
  await quiet.database.drop();
});

const countOf = async (table: string) =>
  Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);

test('what web pages did is counted for seven days', async () => {
  const minutesAgo = [8, 6].map((days) => new Date(clock.now() - days * dayMs));
  await quiet.pool.query(
    `insert into mint_counts (shard, workspace_id, form_id, minute, origin, step, count, last_at)
     select 7, gen_random_uuid(), gen_random_uuid(), minute, '', 'challenged', 1, minute
     from unnest($1::timestamptz[]) as minute`,
    [minutesAgo],
  );
  await quiet.housekeeping.sweep();
  const { rows } = await quiet.pool.query('select minute from mint_counts');
  expect(rows).toEqual([{ minute: minutesAgo[1] }]);
});

test('the last 50,000 rejections without a workspace are kept', async () => {
  const insert = (count: number, rows: number) =>
    quiet.pool.query(
      `insert into unattributed_requests (surface, reason, count, first_at, request_ids, after_ms)
       select 'server', 'token_unknown', $1, now(), '{}', '{}' from generate_series(1, $2)`,
      [count, rows],
    );
  for (const [count, rows] of [
    [7, 1],
    [1, 100],
    [20_000, 2],
    [9_999, 1],
  ] as const)
    await insert(count, rows);
  await quiet.housekeeping.sweep();
  const { rows } = await quiet.pool.query('select count from unattributed_requests order by id desc');
  expect(rows.map(({ count }) => count)).toEqual([9_999, 20_000, 20_000, ...Array(1).fill(1)]);
});

test('how far clocks are off is kept for thirty days', async () => {
  const minutesAgo = [31, 29].map((days) => new Date(clock.now() - days * dayMs));
  await quiet.pool.query(
    `insert into clock_drifts (shard, workspace_id, form_id, minute, buckets)
     select 7, gen_random_uuid(), gen_random_uuid(), minute, array_fill(1, array[17])
     from unnest($1::timestamptz[]) as minute`,
    [minutesAgo],
  );
  await quiet.housekeeping.sweep();
  const { rows } = await quiet.pool.query('select minute from clock_drifts');
  expect(rows).toEqual([{ minute: minutesAgo[1] }]);
});

test('expired rows are deleted, others are kept, and leads stay permanently', async () => {
  const sender = await createSender(service);
  await post(service, sender, 'server', someLead, { key: 'old' });
  await post(service, sender, 'server', 'no json');
  await eventually(
    () => countOf('rejection_entries'),
    (count) => count === 1,
  );
  clock.advance(dayMs);
  await post(service, sender, 'server', someLead, { key: 'new' });
  await housekeeping.sweep();
  expect(await countOf('idempotency_keys')).toBe(1);
  expect(await countOf('rejection_entries')).toBe(1);
  clock.advance(31 * dayMs);
  await housekeeping.sweep();
  expect(await countOf('idempotency_keys')).toBe(0);
  expect(await countOf('rejection_entries')).toBe(0);
  expect(await countOf('outcome_counts')).toBeGreaterThan(0);
  expect(await countOf('leads')).toBe(2);
});

const workspace = '00000000-0000-4000-8000-000000000000';

/** Events, and a delivery with an attempt of each, in turn pending and delivered. */
async function insertEvents(first: number, count: number): Promise<void> {
  const at = new Date(clock.now());
  const numbers = `generate_series($2::int, $2::int + $3::int - 1) as n`;
  const values = [workspace, first, count, at];
  await quiet.pool.query(
    `insert into event_counters (shard, workspace_id, last) values (0, $1, 1) on conflict do nothing`,
    [workspace],
  );
  await quiet.pool.query(
    `insert into lead_events (shard, workspace_id, id, type, at)
     select 0, $1, n, 'lead.accepted', $4 from ${numbers}`,
    values,
  );
  const id = `($5 || lpad(n::text, 12, '0'))::uuid`;
  const ids = [...values, firstDeliveryId(at).slice(0, -12)];
  await quiet.pool.query(
    `insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, state, next_at,
       created_at)
     select 0, $1, ${id}, $1, n, 'lead.accepted', $4, case n % 2 when 0 then 'pending' else 'delivered' end, $4, $4
     from ${numbers}`,
    ids,
  );
  await quiet.pool.query(
    `insert into delivery_attempts (shard, workspace_id, delivery_id, n, at, ms)
     select 0, $1, ${id}, 1, $4, 1 from ${numbers}`,
    ids,
  );
}

/** Events, attempts and deliveries after a pass. */
async function kept(): Promise<number[]> {
  await quiet.housekeeping.sweep();
  const of = (table: string) =>
    quiet.pool.query(`select count(*)::int from ${table} where shard = 0 and workspace_id = $1`, [workspace]);
  const counts = await Promise.all(['lead_events', 'delivery_attempts', 'deliveries'].map(of));
  return counts.map(({ rows }) => rows[0].count);
}

test('events and attempts are kept for 30 days, and deliveries for 90, even those that still wait', async () => {
  await insertEvents(1, 2);
  clock.advance(29 * dayMs);
  await insertEvents(3, 2);
  expect(await kept()).toEqual([4, 4, 4]);
  clock.advance(2 * dayMs);
  expect(await kept()).toEqual([2, 2, 4]);
  clock.advance(60 * dayMs);
  expect(await kept()).toEqual([0, 0, 2]);
});

test('one pass deletes all that is old, however much it is', async () => {
  await insertEvents(10_001, 12_000);
  clock.advance(91 * dayMs);
  expect(await kept()).toEqual([0, 0, 0]);
});
