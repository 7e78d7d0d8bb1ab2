import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MailReply } from '../../../src/mail/mail-reply.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/time/clock.ts';
import { AlarmWorld, FakeRule } from './alarm-world.ts';

let world: AlarmWorld;

beforeAll(async () => {
  world = await AlarmWorld.create();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

async function instanceAlarms() {
  const { rows } = await world.pool.query(
    'select * from alarms where workspace_id is null order by opened_at',
  );
  return rows;
}

test('of two instances one judges; the other one does when the first has stopped', async () => {
  world.rule.findings = [world.finding()];
  const other = new FakeRule();
  const [first, second] = [world.watch(), world.watch({ rules: [other] })];
  await first.turn();
  await second.turn();
  await world.later(first);
  await world.later(second, secondMs);
  expect([world.rule.judgements, other.judgements]).toEqual([2, 0]);
  await first.stop();
  await second.turn();
  expect(other.judgements).toBe(1);
  expect(await instanceAlarms()).toEqual([]);
});

test('two instances that begin at the same time open and tell an alarm once', async () => {
  world.rule.findings = [world.finding()];
  await Promise.all([world.watch(), world.watch(), world.watch()].map((watch) => watch.turn()));
  expect(await world.alarms()).toHaveLength(1);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('an instance that lost its lease while it judged writes nothing', async () => {
  world.rule.findings = [world.finding({ evidence: { rejected: 1 } })];
  const newer = new FakeRule();
  const quick = world.watch({ rules: [newer] });
  const slow = world.watch({
    async readCounts() {
      await world.clock.advance(91 * secondMs);
      await quick.turn();
      return [];
    },
  });
  await slow.turn();
  expect(newer.judgements).toBe(1);
  expect(await world.alarms()).toEqual([]);
  expect(await world.eventTypes()).toEqual([]);
  newer.findings = [world.finding()];
  await world.later(quick);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('operators are told that nobody watched after the instance that did had vanished, and it closes itself', async () => {
  const operator = 'operator.lease@example.com';
  await world.person(operator, { operator: true });
  await world.watch().turn();
  const vanishedAt = new Date(world.clock.now()).toISOString();
  const second = world.watch();
  await world.later(second, minuteMs);
  expect(await instanceAlarms()).toEqual([]);
  await world.later(second, minuteMs);
  const noticedAt = new Date(world.clock.now()).toISOString();
  expect(await instanceAlarms()).toMatchObject([
    {
      kind: 'watch_interrupted',
      severity: 'medium',
      evidence: { since: vanishedAt, until: noticedAt },
      closed_at: null,
    },
  ]);
  await world.later(second, 58 * minuteMs);
  expect(await instanceAlarms()).toMatchObject([{ closed_at: null }]);
  await world.later(second, 2 * minuteMs);
  expect(await instanceAlarms()).toMatchObject([{ closed_as: 'recovered' }]);
  expect(world.smtp.recipients).toEqual([operator]);
  await world.pool.query('update people set operator = false');
});

test('a rule that fails leaves its alarms as they are, and the others are judged', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  world.rule.over = (await world.alarms()).map(({ id }) => ({ alarmId: id, as: 'recovered' }));
  world.rule.findings = [];
  world.rule.meanwhile = () => Promise.reject(new Error('no'));
  const other = new FakeRule();
  other.findings = [world.finding({ kind: 'held_waiting', formId: null })];
  await watch.stop();
  const both = world.watch({ rules: [world.rule, other] });
  await world.later(both);
  expect((await world.alarms()).map(({ kind, closed_as }) => [kind, closed_as])).toEqual([
    ['all_rejected', null],
    ['held_waiting', null],
  ]);
});

test('a workspace whose counts cannot be read is not judged: unknown is not zero', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await watch.stop();
  world.rule.findings = [world.finding({ kind: 'silence' })];
  world.rule.over = (await world.alarms()).map(({ id }) => ({ alarmId: id, as: 'recovered' }));
  const blind = world.watch({ readCounts: () => Promise.reject(new Error('the node is down')) });
  await world.later(blind);
  await world.later(blind, hourMs);
  expect(await world.alarms()).toMatchObject([{ kind: 'all_rejected', closed_at: null }]);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('a rule is judged as often as it asks for', async () => {
  const rare = new FakeRule(15);
  const watch = world.watch({ rules: [world.rule, rare] });
  await watch.turn();
  for (let minute = 1; minute <= 30; minute++) await world.later(watch);
  expect([world.rule.judgements, rare.judgements]).toEqual([31, 3]);
});

test('a running watch judges again and again, and gives its lease back when it stops', async () => {
  const watch = world.watch();
  const judgedTwice = Promise.withResolvers<void>();
  world.rule.meanwhile = async () => {
    if (world.rule.judgements > 1) judgedTwice.resolve();
  };
  watch.start();
  let isDone = false;
  void judgedTwice.promise.then(() => {
    isDone = true;
  });
  while (!isDone) await world.clock.advance(secondMs);
  await watch.stop();
  const { rows } = await world.pool.query(
    'select instance_id, judged_at is not null as judged from alarm_watch',
  );
  expect(rows).toEqual([{ instance_id: null, judged: true }]);
});

test('after the clock was set back, rules are judged and a lease from the future is not waited for', async () => {
  const watch = world.watch();
  await watch.turn();
  world.clock.leap(-dayMs);
  await world.later(watch);
  expect(world.rule.judgements).toBe(2);
  world.clock.leap(dayMs);
  const other = world.watch({ rules: [] });
  await watch.stop();
  await other.turn();
  world.clock.leap(-dayMs);
  await world.later(world.watch());
  expect(world.rule.judgements).toBe(3);
});

test('a mail server that does not respond does not hold up the judging', async () => {
  await world.person('ada.slow@example.com');
  world.rule.findings = [world.finding()];
  const reply = Promise.withResolvers<MailReply>();
  const watch = world.watch({ mail: { isOn: true, deliver: () => reply.promise } });
  let isJudgedAgain = false;
  world.rule.meanwhile = async () => {
    isJudgedAgain = world.rule.judgements > 2;
  };
  watch.start();
  for (let second = 0; second < 20_000 && !isJudgedAgain; second++) await world.clock.advance(secondMs);
  reply.resolve({ isAccepted: true, isAboutRecipient: false, status: 250, text: '' });
  await watch.stop();
  expect([isJudgedAgain, world.counted.emails[0]]).toEqual([true, 'sent']);
});
