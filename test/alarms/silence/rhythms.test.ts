import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { shardOf } from '../../../src/domain/workspace.ts';
import { dayMs, hourMs } from '../../../src/time/clock.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';
import { every, SilenceWorld, type Source } from './silence-world.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const weekMs = 7 * dayMs;
const wholeForm = '00000000-0000-0000-0000-000000000000';
let database: TestDatabase;
let pool: pg.Pool;
let world: SilenceWorld;
let source: Source;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openTestPool(database.url);
});
beforeEach(async () => {
  await pool.query('truncate outcome_counts, source_rhythms, service_times, alarm_settings, audit_log');
  world = new SilenceWorld(pool);
  source = await world.source();
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

async function rows({ workspaceId }: Source = source) {
  const found = await pool.query(
    'select * from source_rhythms where shard = $1 and workspace_id = $2 order by token_id',
    [shardOf(workspaceId), workspaceId],
  );
  return found.rows;
}

test('each token has its own rhythm, and the form has that of all of them together', async () => {
  const token = world.token(source);
  await world.leads(token, every(30, now - 10 * weekMs, now));
  await world.leads(source, every(60, now - 2 * weekMs, now));
  await world.rhythms.pass(now);
  const [form, ofToken, ...others] = await rows();
  expect(others).toEqual([]);
  expect([form.token_id, ofToken.token_id]).toEqual([wholeForm, token.tokenId]);
  expect(ofToken).toMatchObject({
    leads: 8 * 7 * 48,
    zone: 'UTC',
    last_accepted_at: new Date(now - 30 * 60_000),
  });
  expect(form.leads).toBe(8 * 7 * 48 + 2 * 7 * 24);
  expect(ofToken.expected).toHaveLength(168);
  expect(ofToken.expected[100]).toBeCloseTo(2, 1);
  expect(form.expected[100]).toBeCloseTo(2.25, 1);
  expect(ofToken.weeks).toBeCloseTo(8, 1);
  expect(ofToken.longest_gap).toBeCloseTo(1, 1);
  expect(form.computed_at).toEqual(new Date(now));
});

test('rhythms are learnt once a day, and again when the time zone is another', async () => {
  await world.leads(source, every(60, now - 3 * weekMs, now));
  await world.rhythms.pass(now);
  const computedAt = async () => (await rows())[0].computed_at.getTime();
  await world.rhythms.pass(now + 19 * hourMs);
  expect(await computedAt()).toBe(now);
  world.restart();
  await world.rhythms.pass(now + 19 * hourMs);
  expect(await computedAt()).toBe(now);
  await world.set(source, { timeZone: 'Asia/Tokyo' });
  await world.rhythms.pass(now + 19 * hourMs);
  expect(await computedAt()).toBe(now + 19 * hourMs);
  expect((await rows())[0].zone).toBe('Asia/Tokyo');
  await world.rhythms.pass(now + 40 * hourMs);
  expect(await computedAt()).toBe(now + 40 * hourMs);
});

test('hours are those of the time zone, also where it is half an hour off', async () => {
  await world.set(source, { timeZone: 'Asia/Kolkata' });
  // From 18:30 to 19:30 UTC it is midnight to one there.
  const start = Date.parse('2026-09-21T18:30:00Z');
  for (let day = 0; day < 56; day++)
    await world.leads(source, every(5, start + day * dayMs, start + day * dayMs + hourMs));
  await world.rhythms.pass(now);
  const [{ expected }] = await rows();
  expect(expected.indexOf(Math.max(...expected)) % 24).toBe(0);
  expect(expected[24]).toBeGreaterThan(5);
  expect(expected[26]).toBeLessThan(1);
});

test('spam of the last four weeks is counted, as far as it was scored', async () => {
  await world.leads(source, every(60, now - 6 * weekMs, now));
  await pool.query(
    `update outcome_counts set spam_count = case when minute < $1 then 1 when minute < $2 then null else 1 end
     where extract(hour from minute) < 6`,
    [new Date(now - 4 * weekMs), new Date(now - 3 * weekMs)],
  );
  await world.rhythms.pass(now);
  expect((await rows())[0]).toMatchObject({ scored_leads: 21 * 24 + 7 * 18, spam_leads: 21 * 6 });
});

test('times in which the service was down, or the form turned off, are not learnt', async () => {
  const down = { from: now - 20 * dayMs, to: now - 17 * dayMs };
  const off = { from: now - 10 * dayMs, to: now - 8 * dayMs };
  const isIn = (at: number, { from, to }: typeof down) => at >= from && at < to;
  const times = every(60, now - 8 * weekMs, now).filter((at) => !isIn(at, down) && !isIn(at, off));
  await world.leads(source, times);
  await world.rhythms.pass(now);
  expect((await rows())[0].longest_gap).toBeGreaterThan(40);
  await world.served(now - 8 * weekMs, down.from);
  await world.served(down.to, now);
  for (const [at, active] of [
    [off.from, false],
    [off.to, true],
  ] as const)
    await pool.query(
      `insert into audit_log (id, workspace_id, at, actor_kind, actor_name, action, target, changes, completed, names)
       values (gen_random_uuid(), $1, $2, 'person', 'Ada', 'changeAForm', $3, $4, true, '{}')`,
      [source.workspaceId, new Date(at), { form_id: source.formId }, { active }],
    );
  world.restart();
  await world.rhythms.pass(now + dayMs);
  const [{ longest_gap, expected }] = await rows();
  expect(longest_gap).toBeLessThan(3);
  expect(Math.min(...expected)).toBeGreaterThan(0.9);
});

test('a source without a lead for so long that nobody can ask about it is forgotten', async () => {
  await world.leads(source, every(60, now - 8 * weekMs, now));
  await world.rhythms.pass(now);
  await world.rhythms.pass(now + 90 * dayMs);
  expect(await rows()).toHaveLength(1);
  await world.rhythms.pass(now + 92 * dayMs);
  expect(await rows()).toEqual([]);
});

test('a workspace without leads has no rhythm, and one whose only lead was one has none', async () => {
  const other = await world.source();
  await world.leads(other, [now - dayMs]);
  await world.rhythms.pass(now);
  expect(await rows()).toEqual([]);
  expect(await rows(other)).toEqual([]);
});
