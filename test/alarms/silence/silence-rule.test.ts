import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../src/time/clock.ts';
import { createTestDatabase, openTestPool, type TestDatabase } from '../../support/database/database.ts';
import { every, SilenceWorld, type Source } from './silence-world.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const weeksAgo = (weeks: number) => now - weeks * 7 * dayMs;
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
  // Four leads an hour for eight weeks.
  await world.leads(source, every(15, weeksAgo(8), now));
  await world.rhythms.pass(now);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const rule = (changes: object) => ({
  rules: [
    {
      ...{ kind: 'silence' as const, formId: null, tokenId: null, isEnabled: true, mutedUntil: null },
      ...{ isSensitive: false, silentDays: null, ...changes },
    },
  ],
});
const insertChange = (at: number, action: string, changes: object, target: object = {}) =>
  pool.query(
    `insert into audit_log (id, workspace_id, at, actor_kind, actor_name, action, target, changes, completed, names)
     values (gen_random_uuid(), $1, $2, 'person', 'Ada', $3, $4, $5, true, '{}')`,
    [source.workspaceId, new Date(at), action, JSON.stringify(target), JSON.stringify(changes)],
  );
/** Judged from now on, every half-hour, until something is found. */
async function foundAfterHours(hoursMax: number, from = now): Promise<number | null> {
  for (let at = from; at <= from + hoursMax * hourMs; at += 30 * minuteMs) {
    const last = Math.max(from, at - 30 * minuteMs);
    for (let minute = last; minute <= at; minute += minuteMs * 2) await world.served(minute, minute);
    const { findings } = await world.judge(at);
    if (findings.length > 0) return (at - from) / hourMs;
  }
  return null;
}

test('a source that is cut off is found, with what is known about it, and is over with its first lead', async () => {
  expect((await world.judge(now + hourMs)).findings).toEqual([]);
  await world.served(now, now + 3 * hourMs);
  const verdicts = await world.judge(now + 3 * hourMs);
  const last = now - 15 * minuteMs;
  expect(verdicts).toEqual({
    findings: [
      {
        ...{ kind: 'silence', severity: 'high', workspaceId: source.workspaceId, formId: source.formId },
        ...{ tokenId: null, destinationId: null, reason: null },
        evidence: {
          last_accepted_at: new Date(last).toISOString(),
          silent_hours: 3.3,
          expected: 13,
          usual_per_week: 672,
          silent_days: null,
        },
      },
    ],
    over: [],
  });
  world.openAll(verdicts, now + 3 * hourMs);
  expect((await world.judge(now + 3 * hourMs + minuteMs)).over).toEqual([]);
  await world.leads(source, [now + 3 * hourMs + 2 * minuteMs]);
  const after = await world.judge(now + 3 * hourMs + 3 * minuteMs);
  expect(after).toEqual({ findings: [], over: [{ alarmId: world.open[0]?.id, as: 'recovered' }] });
});

test('an instance that takes over finds the same, and that it is over', async () => {
  await world.served(now, now + 5 * hourMs);
  world.openAll(await world.judge(now + 5 * hourMs), now + 5 * hourMs);
  expect(world.open).toHaveLength(1);
  world.restart();
  const again = await world.judge(now + 5 * hourMs + minuteMs);
  expect(again.findings).toHaveLength(1);
  expect(again.over).toEqual([]);
  await world.leads(source, [now + 6 * hourMs]);
  world.restart();
  await world.served(now, now + 9 * hourMs);
  expect((await world.judge(now + 9 * hourMs)).over).toMatchObject([{ as: 'recovered' }]);
});

test('six hours in which the service was down are not silence, nor is the half-hour after them', async () => {
  await world.served(now, now);
  const back = now + 6 * hourMs;
  world.restart();
  expect((await world.judge(back)).findings).toEqual([]);
  await world.leads(source, every(15, back, back + hourMs));
  await world.served(back, back + hourMs);
  expect((await world.judge(back + hourMs)).findings).toEqual([]);
});

test('what was silent before the first time of service that is known gets half an hour, as after an upgrade', async () => {
  const start = now + 6 * hourMs;
  expect((await world.judge(start)).findings).toEqual([]);
  await world.served(start, start + 29 * minuteMs);
  expect((await world.judge(start + 29 * minuteMs)).findings).toEqual([]);
  await world.served(start, start + 31 * minuteMs);
  expect((await world.judge(start + 31 * minuteMs)).findings).toHaveLength(1);
});

test('a silence that has lasted for three months is no longer told, and nobody is told that it is over', async () => {
  await world.served(now, now + 90 * dayMs);
  world.openAll(await world.judge(now + 90 * dayMs), now + 90 * dayMs);
  expect(world.open).toHaveLength(1);
  for (const isNew of [false, true]) {
    if (isNew) world.restart();
    await world.served(now, now + 92 * dayMs);
    const { findings, over } = await world.judge(now + 92 * dayMs);
    expect([findings, over]).toMatchObject([[], [{ as: 'removed' }]]);
  }
});

test('a source that stays silent after the service was down is found', async () => {
  await world.served(now, now);
  const back = now + 6 * hourMs;
  expect(await foundAfterHours(6, back)).toBeGreaterThanOrEqual(2);
});

test('while nobody can say that leads are accepted, nothing is found', async () => {
  await world.served(now, now + minuteMs);
  expect((await world.judgeOnly(now + dayMs)).findings).toEqual([]);
});

test('counts that are written late, after the database was away, end a silence', async () => {
  await world.served(now, now + 4 * hourMs);
  world.openAll(await world.judge(now + 4 * hourMs), now + 4 * hourMs);
  expect(world.open).toHaveLength(1);
  await world.leads(source, [now + hourMs]);
  await world.served(now, now + 5 * hourMs);
  expect((await world.judge(now + 5 * hourMs)).over).toMatchObject([{ as: 'recovered' }]);
});

test('a leap of the clock is not silence', async () => {
  await world.judge(now);
  expect((await world.judge(now + 3 * dayMs)).findings).toEqual([]);
  await world.leads(source, [now + 3 * dayMs + minuteMs]);
  expect((await world.judge(now + 3 * dayMs + 2 * minuteMs)).findings).toEqual([]);
  // And back again.
  expect((await world.judge(now + 10 * minuteMs)).findings).toEqual([]);
});

test('a form that is turned off, or whose workspace is suspended, is not silent', async () => {
  await world.served(now, now + dayMs);
  world.openAll(await world.judge(now + dayMs), now + dayMs);
  world.activate(source, false);
  const removed = { findings: [], over: [{ alarmId: world.open[0]?.id, as: 'removed' }] };
  expect(await world.judge(now + dayMs + minuteMs)).toEqual(removed);
  world.activate(source, true);
  world.change(source, { isSuspended: true });
  expect(await world.judge(now + dayMs + 2 * minuteMs)).toEqual(removed);
});

test('a form that was turned on again is not silent since it was turned off', async () => {
  await insertChange(now, 'changeAForm', { active: false }, { form_id: source.formId });
  await insertChange(now + 2 * dayMs, 'changeAForm', { active: true }, { form_id: source.formId });
  await insertChange(now + 2 * dayMs, 'renameSuspendOrResumeAWorkspace', { status: 'suspended' });
  await insertChange(now + 3 * dayMs, 'renameSuspendOrResumeAWorkspace', { status: 'active' });
  await world.served(now, now + 4 * dayMs);
  expect((await world.judge(now + 3 * dayMs + 2 * hourMs)).findings).toEqual([]);
  const { findings } = await world.judge(now + 3 * dayMs + 4 * hourMs);
  expect(findings).toMatchObject([{ evidence: { silent_hours: 4.3 } }]);
});

test('owners can be told after a number of days, whatever is usual, or not at all', async () => {
  const rare = await world.source();
  await world.leads(rare, [weeksAgo(3), weeksAgo(2), now]);
  world.restart();
  await world.rhythms.pass(now + 21 * hourMs);
  await world.set(rare, rule({ silentDays: 2 }));
  await world.set(source, rule({ isEnabled: false }));
  await world.served(now, now + 3 * dayMs);
  expect((await world.judge(now + 2 * dayMs - minuteMs)).findings).toEqual([]);
  const { findings } = await world.judge(now + 2 * dayMs);
  expect(findings).toMatchObject([{ formId: rare.formId, evidence: { silent_days: 2, silent_hours: 48 } }]);
});

test('a sensitive rule tells sooner', async () => {
  await world.leads(source, every(15, now + 4 * hourMs, now + 12 * hourMs));
  await world.served(now, now + dayMs);
  world.restart();
  await world.rhythms.pass(now + 22 * hourMs);
  // The longest gap was 4 hours.
  const at = now + 12 * hourMs + 5.5 * hourMs;
  expect((await world.judge(at)).findings).toEqual([]);
  await world.set(source, rule({ isSensitive: true }));
  expect((await world.judge(at)).findings).toHaveLength(1);
});

test('one of several tokens that falls silent is found, unless the whole form is silent', async () => {
  const [first, second] = [world.token(source), world.token(source)];
  await world.leads(first, every(20, weeksAgo(8), now));
  await world.leads(second, every(20, weeksAgo(8), now + dayMs));
  await world.leads(source, every(20, now, now + dayMs));
  world.restart();
  await world.rhythms.pass(now + 21 * hourMs);
  await world.served(now, now + 3 * dayMs);
  const one = await world.judge(now + 22 * hourMs);
  expect(one.findings).toMatchObject([{ formId: source.formId, tokenId: first.tokenId }]);
  world.openAll(one, now + 22 * hourMs);
  const all = await world.judge(now + 2 * dayMs);
  expect(all.findings).toMatchObject([{ formId: source.formId, tokenId: null }]);
  expect(all.over).toEqual([{ alarmId: world.open[0]?.id, as: 'superseded' }]);
});

test('a token that was rotated is not silent: its sender uses another one', async () => {
  const [former, successor] = [world.token(source), world.token(source)];
  await world.leads(former, every(20, weeksAgo(8), now));
  await world.leads(successor, every(20, now, now + dayMs));
  world.restart();
  await world.rhythms.pass(now + 21 * hourMs);
  await world.served(now, now + dayMs);
  await pool.query(
    `insert into forms (id, workspace_id, name, slug, active, created_at, revision) values ($1, $2, '', 'a', true, now(), 0)`,
    [source.formId, source.workspaceId],
  );
  for (const [tokenId, replacedBy] of [
    [successor.tokenId, null],
    [former.tokenId, successor.tokenId],
  ])
    await pool.query(
      `insert into tokens (id, workspace_id, form_id, name, type, hash, hint, created_at, replaced_by, revision)
       values ($1, $2, $3, '', 'server', uuid_send($1), '', now(), $4, 0)`,
      [tokenId, source.workspaceId, source.formId, replacedBy],
    );
  expect((await world.judge(now + 22 * hourMs)).findings).toEqual([]);
});

test('a silence whose rhythm is forgotten is over with the next lead, even if nobody judged then', async () => {
  await world.served(now, now + dayMs);
  world.openAll(await world.judge(now + dayMs), now + dayMs);
  await pool.query('truncate source_rhythms');
  await world.leads(source, [now + dayMs + hourMs]);
  world.restart();
  expect((await world.judge(now + dayMs + 4 * hourMs)).over).toMatchObject([{ as: 'recovered' }]);
});

test('the only token of a form is not found besides the form', async () => {
  const form = await world.source();
  const token = world.token(form);
  await world.leads(token, every(20, weeksAgo(8), now));
  world.restart();
  await world.rhythms.pass(now);
  await world.served(now, now + dayMs);
  const { findings } = await world.judge(now + dayMs);
  expect(findings.filter(({ formId }) => formId === form.formId)).toMatchObject([{ tokenId: null }]);
});

test('a source whose day was quiet, as on a holiday, gets more time', async () => {
  const quiet = [now + 2 * hourMs, now + 8 * hourMs, now + 14 * hourMs, now + 20 * hourMs, now + 23 * hourMs];
  await world.leads(source, quiet);
  await world.served(now, now + 3 * dayMs);
  expect((await world.judge(now + 27 * hourMs)).findings).toEqual([]);
  expect((await world.judge(now + 2.5 * dayMs)).findings).toHaveLength(1);
});

test.each([
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
])('when clocks are changed in %s at %s, nobody is silent', async (timeZone, change) => {
  await pool.query('truncate outcome_counts, source_rhythms');
  await world.set(source, { timeZone });
  const at = Date.parse(change);
  const start = at - 8 * 7 * dayMs;
  // Leads from eight to eight, local time.
  const isOpen = (time: number) => {
    const hour = Number(
      new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(time),
    );
    return hour >= 8 && hour < 20;
  };
  await world.leads(source, every(20, start, at + 2 * dayMs).filter(isOpen));
  world.restart();
  await world.rhythms.pass(at - 2 * hourMs);
  await world.served(start, at + 2 * dayMs);
  for (let hours = -2; hours < 48; hours++)
    expect((await world.judgeOnly(at + hours * hourMs)).findings).toEqual([]);
});

test('a workspace whose node is down is not judged', async () => {
  await world.served(now, now + dayMs);
  world.workspaces.clear();
  expect(await world.judge(now + dayMs)).toEqual({ findings: [], over: [] });
});
