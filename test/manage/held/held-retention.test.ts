import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { Housekeeping } from '../../../src/ingest/housekeeping.ts';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { systemRandomness } from '../../../src/time/randomness.ts';
import { ManualClock } from '../../support/clocks.ts';
import { openTestPool } from '../../support/database/database.ts';
import { heldUsage, holdRow } from '../../support/held-rows.ts';
import { createSender, type Sender } from '../../support/sender.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let pool: pg.Pool;
let sender: Sender;
let clock: ManualClock;

beforeAll(async () => {
  service = await startTestService();
  pool = openTestPool(service.databaseUrl);
});
beforeEach(async () => {
  sender = await createSender(service);
  clock = new ManualClock(Date.now());
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});

const sweep = () =>
  new Housekeeping({ pool, clock, randomness: systemRandomness, log: pino({ level: 'silent' }) }).sweep();

async function idsLeft(): Promise<string[]> {
  const { rows } = await pool.query(
    'select id from held_submissions where workspace_id = $1 order by received_at',
    [sender.workspaceId],
  );
  return rows.map(({ id }) => id);
}

test('nothing is older than its time, in any class and state, and what stays is untouched', async () => {
  const now = clock.now();
  const due = new Date(now + hourMs);
  for (const state of ['held', 'admitted', 'discarded'] as const)
    for (const heldClass of ['A', 'B', 'C', 'D'] as const)
      await holdRow(pool, sender, { state, class: heldClass, expiresAt: due });
  const later = await holdRow(pool, sender, { expiresAt: new Date(now + 2 * hourMs) });
  await sweep();
  expect(await idsLeft()).toHaveLength(13);
  clock.advance(hourMs);
  await sweep();
  expect(await idsLeft()).toEqual([later]);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
  expect(booked.rows).toBe(1);
});

test('the space of several forms and of both pots is given back exactly', async () => {
  const other = await service.api('POST', `/workspaces/${sender.workspaceId}/forms`, { name: 'Other' });
  const gone = new Date(clock.now() - 1);
  for (const expiresAt of [gone, new Date(clock.now() + dayMs)])
    for (const formId of [sender.formId, other.json.id])
      for (const heldClass of ['A', 'D'] as const)
        await holdRow(pool, sender, { formId, class: heldClass, expiresAt, body: `{"n":"${formId}"}` });
  await sweep();
  const { rows } = await pool.query('select rows from held_usage where workspace_id = $1', [
    sender.workspaceId,
  ]);
  expect(rows.map((row) => Number(row.rows))).toEqual([1, 1, 1, 1]);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
});

test('a row that someone decides about at the same moment is left to the next pass', async () => {
  const id = await holdRow(pool, sender, { expiresAt: new Date(clock.now() - 1) });
  const client = await pool.connect();
  await client.query('begin');
  await client.query('select from held_submissions where shard = $1 and id = $2 for update', [
    shardOf(sender.workspaceId),
    id,
  ]);
  await sweep();
  expect(await idsLeft()).toEqual([id]);
  await client.query('rollback');
  client.release();
  await sweep();
  expect(await idsLeft()).toEqual([]);
});

test('two instances that clean up at the same time give space back once', async () => {
  for (let i = 0; i < 20; i++) await holdRow(pool, sender, { expiresAt: new Date(clock.now() - 1) });
  await holdRow(pool, sender);
  await Promise.all([sweep(), sweep()]);
  const { booked, real } = await heldUsage(pool, sender);
  expect(booked).toEqual(real);
});

test('counts of what was not kept, and finished decisions, go when nobody asks for them any more', async () => {
  const { workspaceId } = sender;
  const day = (ms: number) => new Date(clock.now() - ms).toISOString().slice(0, 10);
  for (const ms of [0, 13 * dayMs, 15 * dayMs])
    await pool.query('insert into held_missed (shard, workspace_id, day, count) values ($1, $2, $3, 1)', [
      shardOf(workspaceId),
      workspaceId,
      day(ms),
    ]);
  for (const ms of [0, 31 * dayMs])
    await pool.query(
      `insert into held_decisions (id, workspace_id, kind, selection, deliver, total, created_at, created_by, finished_at)
       values (gen_random_uuid(), $1, 'admission', '{}', true, 0, $2, 'ada', $2)`,
      [workspaceId, new Date(clock.now() - ms)],
    );
  await sweep();
  const count = async (table: string) =>
    (await pool.query(`select from ${table} where workspace_id = $1`, [workspaceId])).rowCount;
  expect([await count('held_missed'), await count('held_decisions')]).toEqual([2, 1]);
});
