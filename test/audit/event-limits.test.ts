import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SecurityEvents } from '../../src/manage/audit/events/security-events.ts';
import { minuteMs } from '../../src/time/clock.ts';
import { createWorkspace } from '../manage/leads/seed.ts';
import { type Browser, join } from '../support/browser/browser.ts';
import { ManualClock } from '../support/clocks.ts';
import { openTestPool } from '../support/database/database.ts';
import { startTestService, type TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects to be there.
type Json = any;

const clock = new ManualClock(Date.parse('2026-11-15T08:00:00.000Z'));
let service: TestService;
let pool: pg.Pool;
let ada: { id: string; email: string };
let lines: Json[];
let events: SecurityEvents;

beforeAll(async () => {
  service = await startTestService({ clock });
  pool = openTestPool(service.databaseUrl);
  const browser: Browser = await join(service, await createWorkspace(service), 'ada@example.com', 'owner');
  ada = (await browser.api('GET', '/me')).json.user;
});
afterAll(async () => {
  await pool.end();
  await service.stop();
});
beforeEach(() => {
  clock.advance(60 * minuteMs);
  lines = [];
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  events = new SecurityEvents({ pool, clock, log });
});

const person = () => ({ id: randomUUID(), email: 'somebody@example.com' });
const said = (event: string) => lines.filter((line) => line.msg === 'security event' && line.event === event);
const networkNumber = (i: number) => `2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`;

async function rowsOf(action: string): Promise<Json[]> {
  const query = 'select * from audit_log where action = $1 and at >= $2';
  return (await pool.query(query, [action, new Date(clock.now())])).rows;
}

test('one person on many networks gets a hundred entries an hour, then one count', async () => {
  const loud = person();
  for (let i = 0; i < 12_000; i++)
    events.note({ kind: 'accessRefused', address: networkNumber(i), person: loud, operation: `op${i % 60}` });
  const quiet = person();
  events.note({ kind: 'accessRefused', address: '198.51.100.1', person: quiet, operation: 'listLeads' });
  await events.flush();
  const rows = await rowsOf('accessRefused');
  const ofLoud = rows.filter(({ actor_id }) => actor_id === loud.id);
  expect(ofLoud).toHaveLength(101);
  expect(ofLoud.reduce((sum, { times }) => sum + times, 0)).toBe(12_000);
  const rest = ofLoud.filter(({ address }) => address === null);
  expect(rest).toMatchObject([{ times: 11_900, changes: {} }]);
  expect(rows.filter(({ actor_id }) => actor_id === quiet.id)).toMatchObject([
    { address: '198.51.100.1', changes: { operation: 'listLeads' } },
  ]);
  const { json } = await service.api('GET', '/operator/audit?limit=200');
  const texts = json.items.map(({ text }: Json) => text);
  expect(texts).toContain('somebody@example.com tried to do something and was refused (11900 times)');
  await events.stop();
});

test('events beyond every limit are still logged, by kind and once a minute', async () => {
  // Looked at without writing ten thousand rows: the table is away, as far as they can tell.
  const away = { query: () => Promise.reject(Object.assign(new Error('away'), { syscall: 'connect' })) };
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  events = new SecurityEvents({ pool: away as unknown as pg.Pool, clock, log });
  const refuse = () =>
    events.note({ kind: 'accessRefused', address: '198.51.100.2', person: person(), operation: 'listLeads' });
  for (let i = 0; i < 10_000; i++) refuse();
  await events.flush();
  expect(said('accessRefused')).toHaveLength(10_000);
  lines.length = 0;
  for (let i = 0; i < 3; i++) {
    refuse();
    await events.flush(false);
  }
  expect(said('accessRefused')).toMatchObject([{ count: 1 }]);
  clock.advance(minuteMs);
  await events.flush(false);
  expect(said('accessRefused')).toMatchObject([{ count: 1 }, { count: 2 }]);
  await events.stop();
});

test('invented addresses do not hide guesses at a real account', async () => {
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 3_000; i++)
      events.note({ kind: 'signInFailed', address: networkNumber(i), email: `nobody${i}@example.com` });
    await events.flush(false);
  }
  events.note({ kind: 'signInFailed', address: '198.51.100.3', email: ada.email });
  await events.flush();
  const rows = await rowsOf('signInFailed');
  expect(rows.filter(({ target }) => target.person_id === ada.id)).toMatchObject([
    { times: 1, address: null },
  ]);
  const unknown = rows.filter(({ target }) => target.person_id === undefined);
  expect(unknown).toHaveLength(101);
  expect(unknown.reduce((sum, { times }) => sum + times, 0)).toBe(6_000);
  expect(JSON.stringify([rows, lines])).not.toContain('nobody1@');
  await events.stop();
});

test('a database that does not respond delays the stop only briefly, and the events are in the log', async () => {
  const other = await pool.connect();
  try {
    await other.query('begin');
    await other.query('lock table audit_log in access exclusive mode');
    for (let i = 0; i < 50; i++)
      events.note({ kind: 'accessRefused', address: networkNumber(i), person: ada, operation: 'listLeads' });
    // Ends although nothing can be written before the lock is given up, below.
    await events.stop();
    expect(said('accessRefused')).toHaveLength(50);
  } finally {
    await other.query('rollback');
    other.release();
  }
});

test('so does one that cannot look up the accounts', async () => {
  const other = await pool.connect();
  try {
    await other.query('begin');
    await other.query('lock table people in access exclusive mode');
    for (let i = 0; i < 50; i++)
      events.note({ kind: 'signInFailed', address: networkNumber(i), email: ada.email });
    await events.stop();
    expect(said('signInFailed')).toMatchObject([{ count: 50 }]);
  } finally {
    await other.query('rollback');
    other.release();
  }
});

test('after the first event that the database cannot take, the others are only in the log', async () => {
  let tries = 0;
  const refused = () => {
    tries++;
    return Promise.reject(Object.assign(new Error('away'), { syscall: 'connect' }));
  };
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  events = new SecurityEvents({ pool: { query: refused } as unknown as pg.Pool, clock, log });
  for (let i = 0; i < 50; i++)
    events.note({ kind: 'accessRefused', address: networkNumber(i), person: ada, operation: 'listLeads' });
  await events.flush();
  expect(tries).toBe(1);
  expect(said('accessRefused')).toHaveLength(50);
  await events.stop();
});
