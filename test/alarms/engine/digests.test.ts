import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hourMs, minuteMs } from '../../../src/time/clock.ts';
import { parseEmail } from '../../support/smtp.ts';
import { AlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;

beforeAll(async () => {
  world = await AlarmWorld.create();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const counted = (types: readonly string[], type: string) => types.filter((one) => one === type).length;

async function digests(): Promise<{ alarms: { title: string; severity: string }[]; more: number }[]> {
  return (await world.events())
    .filter(({ type }) => type === 'alarm.digest')
    .map(({ data }) => data as unknown as { alarms: []; more: number });
}

test('25 alarms in an hour are 20 messages and one digest of the rest', async () => {
  await world.person('ada.many@example.com');
  const watch = world.watch();
  for (let i = 0; i < 25; i++) {
    world.rule.findings = [world.finding({ formId: await world.form(randomUUID(), `Form ${i}`) })];
    await world.later(watch);
  }
  // So that reminders are not counted with them.
  await world.pool.query(`update alarms set acknowledged_at = now(), acknowledged_by = 'x'`);
  world.rule.findings = [];
  const during = await world.eventTypes();
  expect([counted(during, 'alarm.opened'), during.length]).toEqual([20, 20]);
  await world.later(watch, 34 * minuteMs);
  expect(await world.eventTypes()).toHaveLength(20);
  await world.later(watch, 2 * minuteMs);
  await world.later(watch, 10 * minuteMs);
  const after = await world.eventTypes();
  expect([counted(after, 'alarm.opened'), counted(after, 'alarm.digest')]).toEqual([20, 1]);
  const [digest] = await digests();
  expect([digest?.alarms.length, digest?.more]).toEqual([5, 0]);
  expect(world.smtp.emails).toHaveLength(21);
  expect(counted(await world.notices(), 'opened digested')).toBe(5);
});

test('a burst in one minute is bounded alike, and its digest lists 50 at most', async () => {
  const watch = world.watch();
  for (let i = 0; i < 80; i++)
    world.rule.findings.push(world.finding({ formId: await world.form(randomUUID(), `Form ${i}`) }));
  await watch.turn();
  await world.pool.query(`update alarms set acknowledged_at = now(), acknowledged_by = 'x'`);
  expect(await world.eventTypes()).toHaveLength(20);
  await world.later(watch, hourMs);
  const [digest] = await digests();
  expect([digest?.alarms.length, digest?.more]).toEqual([50, 10]);
});

test('the limit of one workspace does not hold up another', async () => {
  const watch = world.watch();
  for (let i = 0; i < 25; i++)
    world.rule.findings.push(world.finding({ formId: await world.form(randomUUID(), `Form ${i}`) }));
  const other = randomUUID();
  await world.pool.query(
    `insert into workspaces (id, name, status, created_at, revision) values ($1, 'Other', 'active', now(), 1)`,
    [other],
  );
  world.rule.findings.push(world.finding({ workspaceId: other, kind: 'held_waiting', formId: null }));
  await watch.turn();
  await world.events();
  const { rows } = await world.pool.query('select type from lead_events where workspace_id = $1', [other]);
  expect(rows).toEqual([{ type: 'alarm.opened' }]);
});

test('what is less important is told once a day, at the hour of the owners', async () => {
  await world.person('ada.daily@example.com');
  // 13:00 in Berlin is 12:00 UTC.
  await world.settings({ timeZone: 'Europe/Berlin', digestHour: 13 });
  const startedAt = new Date(world.clock.now());
  const noonMs = Date.UTC(2026, startedAt.getUTCMonth(), startedAt.getUTCDate() + 1, 12) - world.clock.now();
  await world.clock.advance(noonMs - 3 * hourMs);
  const watch = world.watch();
  world.rule.findings = [
    world.finding({ kind: 'reject_spike', severity: 'low', reason: 'signature_mismatch' }),
    world.finding({ kind: 'reject_spike', severity: 'low', reason: 'form_inactive' }),
  ];
  await watch.turn();
  world.rule.findings = [];
  await world.later(watch, 3 * hourMs - minuteMs);
  expect([await world.eventTypes(), world.smtp.emails]).toEqual([[], []]);
  await world.later(watch);
  await world.later(watch);
  const [digest, ...others] = await digests();
  expect([digest?.alarms.length, others]).toEqual([2, []]);
  expect(world.smtp.recipients).toEqual(['ada.daily@example.com']);
  expect(parseEmail(world.smtp.emails[0] ?? '').header('subject')).toBe('Acme: 2 alarms');
  await world.later(watch, 24 * hourMs);
  expect(await digests()).toHaveLength(1);
});

test('a digest leaves out what was muted, turned off or superseded since', async () => {
  const watch = world.watch();
  world.rule.findings = (['form_inactive', 'rate_limited_day'] as const).map((reason) =>
    world.finding({ kind: 'reject_spike', severity: 'low', reason }),
  );
  await watch.turn();
  world.rule.findings = [];
  world.rule.over = (await world.alarms()).map(({ id }, index) => ({
    alarmId: id,
    as: index === 0 ? 'superseded' : 'recovered',
  }));
  await world.later(watch);
  await world.later(watch, 24 * hourMs);
  const [digest] = await digests();
  expect(digest?.alarms).toHaveLength(1);
  expect((await world.notices()).toSorted()).toEqual(['digest told', 'opened digested', 'opened muted']);
});
