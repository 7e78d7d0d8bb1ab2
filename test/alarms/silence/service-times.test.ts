import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listServiceTimes, noteService } from '../../../src/db/alarms/service-times.ts';
import { Housekeeping } from '../../../src/ingest/housekeeping.ts';
import { ServiceTimes } from '../../../src/ingest/service-times.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/time/clock.ts';
import { systemRandomness } from '../../../src/time/randomness.ts';
import { ManualClock } from '../../support/clocks.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';
import { startTestService } from '../../support/service.ts';

const log = pino({ level: 'silent' });
const start = Date.parse('2026-11-16T12:00:00Z');
let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
beforeEach(() => pool.query('truncate service_times'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const note = (ms: number) => noteService(pool, new Date(start + ms));
const times = async () =>
  (await listServiceTimes(pool, new Date(0))).map(({ from, to }) => [from - start, to - start]);

test('a time of service grows while it is noted, and another begins after a pause', async () => {
  for (const ms of [0, minuteMs, minuteMs + 150 * secondMs]) await note(ms);
  expect(await times()).toEqual([[0, minuteMs + 150 * secondMs]]);
  await note(10 * minuteMs);
  await note(11 * minuteMs);
  expect(await times()).toEqual([
    [0, minuteMs + 150 * secondMs],
    [10 * minuteMs, 11 * minuteMs],
  ]);
});

test('several processes share one time of service', async () => {
  await Promise.all([note(0), note(1)]);
  await Promise.all([minuteMs, minuteMs + 1, minuteMs + 2].map(note));
  expect((await times()).at(-1)?.[1]).toBe(minuteMs + 2);
});

test('a clock that is set back changes nothing', async () => {
  await note(0);
  await note(hourMs);
  await note(10 * minuteMs);
  expect(await times()).toEqual([
    [0, 0],
    [hourMs, hourMs],
  ]);
});

test('a process notes its time once a minute, says once that it cannot, and notes again afterwards', async () => {
  const warnings: string[] = [];
  const telling = pino({ level: 'warn' }, { write: (line: string) => warnings.push(line) });
  let tick: () => Promise<void> = async () => {};
  // Each round is asked for, so the test decides when a minute has passed.
  const clock = new (class extends ManualClock {
    override repeat(...[work, { onFailure, pauseMs }]: Parameters<ManualClock['repeat']>) {
      expect(pauseMs).toBe(minuteMs);
      let isFailing = false;
      tick = async () => {
        try {
          await work(new AbortController().signal);
          isFailing = false;
        } catch (error) {
          if (!isFailing) onFailure?.(error);
          isFailing = true;
        }
      };
      return { stop: async () => {} };
    }
  })(start);
  const serviceTimes = new ServiceTimes({ pool, databaseReady: Promise.resolve(), clock, log: telling });
  serviceTimes.start();
  await Promise.resolve();
  await tick();
  await pool.query('alter table service_times rename to service_times_away');
  for (let minute = 0; minute < 5; minute++) {
    clock.advance(minuteMs);
    await tick();
  }
  await pool.query('alter table service_times_away rename to service_times');
  clock.advance(minuteMs);
  await tick();
  await serviceTimes.stop();
  expect(warnings).toHaveLength(1);
  expect(await times()).toEqual([
    [0, 0],
    [6 * minuteMs, 6 * minuteMs],
  ]);
});

test('a process that is stopped before the database was ready notes nothing', async () => {
  let ready = () => {};
  const databaseReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const serviceTimes = new ServiceTimes({ pool, databaseReady, clock: new ManualClock(start), log });
  serviceTimes.start();
  await serviceTimes.stop();
  ready();
  await databaseReady;
  expect(await times()).toEqual([]);
});

test('only a service that accepts leads notes its time', async () => {
  const clock = new ManualClock(start);
  const noted = async (role: string) => {
    await pool.query('truncate service_times');
    const service = await startTestService({ clock, databaseUrl: database.url, env: { ROLE: role } });
    try {
      if (role === 'ingest') await expect.poll(times).toEqual([[0, 0]]);
    } finally {
      await service.stop();
    }
    return times();
  };
  expect(await noted('ingest')).toEqual([[0, 0]]);
  expect(await noted('manage')).toEqual([]);
});

test('times of service are kept for a hundred days', async () => {
  await note(0);
  await note(dayMs);
  const sweep = (ms: number) =>
    new Housekeeping({ pool, clock: new ManualClock(start + ms), randomness: systemRandomness, log }).sweep();
  await sweep(100 * dayMs);
  expect(await times()).toHaveLength(2);
  await sweep(100 * dayMs + 1);
  expect(await times()).toEqual([[dayMs, dayMs]]);
});
