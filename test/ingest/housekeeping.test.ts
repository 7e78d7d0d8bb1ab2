import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Housekeeping } from '../../src/ingest/housekeeping.ts';
import { dayMs } from '../../src/time/clock.ts';
import { systemRandomness } from '../../src/time/randomness.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { eventually } from '../support/diagnostics.ts';
import { createSender, post, someLead } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let pool: pg.Pool;
let housekeeping: Housekeeping;

beforeAll(async () => {
  service = await startTestService({ clock });
  pool = openTestPool(service.databaseUrl);
  housekeeping = new Housekeeping({
    pool,
    clock,
    randomness: systemRandomness,
    log: pino({ level: 'silent' }),
  });
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const countOf = async (table: string) =>
  Number((await pool.query(`select count(*) from ${table}`)).rows[0].count);

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

test('events and attempts are kept for 30 days, deliveries for 90, and what still waits permanently', async () => {
  const at = new Date(clock.now());
  const workspace = '00000000-0000-4000-8000-000000000000';
  await pool.query(
    `insert into lead_events (shard, workspace_id, id, type, at) values (0, $1, 1, 'lead.accepted', $2)`,
    [workspace, at],
  );
  for (const [place, state] of ['pending', 'delivered'].entries())
    await pool.query(
      `insert into deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, state, next_at,
         created_at)
       values (0, $1, gen_random_uuid(), $1, $2, 'lead.accepted', $3, $4, $3, $3)`,
      [workspace, place, at, state],
    );
  await pool.query(
    'insert into delivery_attempts (shard, workspace_id, delivery_id, n, at, ms) values (0, $1, $1, 1, $2, 1)',
    [workspace, at],
  );
  const kept = async () => {
    await housekeeping.sweep();
    const of = (table: string) =>
      pool.query(`select count(*)::int from ${table} where workspace_id = $1`, [workspace]);
    const counts = await Promise.all(['lead_events', 'delivery_attempts', 'deliveries'].map(of));
    return counts.map(({ rows }) => rows[0].count);
  };
  clock.advance(29 * dayMs);
  expect(await kept()).toEqual([1, 1, 2]);
  clock.advance(2 * dayMs);
  expect(await kept()).toEqual([0, 0, 2]);
  clock.advance(60 * dayMs);
  expect(await kept()).toEqual([0, 0, 1]);
});
