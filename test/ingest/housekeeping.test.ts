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
