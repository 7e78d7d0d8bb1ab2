import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../src/time/clock.ts';
import { parseEmail } from '../../support/smtp.ts';
import { AlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;

beforeAll(async () => {
  world = await AlarmWorld.create();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const alarmEvents = ['alarm.opened', 'alarm.reminder', 'alarm.closed', 'alarm.digest'];

/** The fake rule finds nothing any more, and says that what is open is over. */
async function end(as: 'recovered' | 'superseded' | 'removed' = 'recovered'): Promise<void> {
  world.rule.findings = [];
  world.rule.over = (await world.alarms()).map(({ id }) => ({ alarmId: id, as }));
}

test('what is wrong is told once: one event, one delivery per subscribed destination, one email per owner', async () => {
  const [ada, max] = ['ada.told@example.com', 'max.told@example.com'];
  await world.person(ada);
  await world.person(max);
  await world.person('member.told@example.com', { role: 'member' });
  const subscribed = await world.destination(alarmEvents);
  await world.destination(['lead.accepted']);
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.later(watch);
  const [alarm] = await world.alarms();
  expect(alarm).toMatchObject({ kind: 'all_rejected', names: { form: 'Contact' }, closed_at: null });
  const events = await world.events();
  expect(events.map(({ type }) => type)).toEqual(['alarm.opened']);
  expect(events[0]?.data.alarm).toMatchObject({
    id: alarm?.id,
    kind: 'all_rejected',
    severity: 'high',
    form_id: world.formId,
    form_name: 'Contact',
    token_id: null,
    closed_at: null,
    evidence: { rejected: 5 },
  });
  const { rows } = await world.pool.query('select destination_id from deliveries where workspace_id = $1', [
    world.workspaceId,
  ]);
  expect(rows).toEqual([{ destination_id: subscribed }]);
  expect(world.smtp.recipients.toSorted()).toEqual([ada, max]);
  expect(new Set(world.messageIds()).size).toBe(2);
  const email = parseEmail(world.smtp.emails[0] ?? '');
  expect(email.header('subject')).toContain('Acme: ');
  expect(email.text).toContain(`https://leads.example/w/${world.workspaceId}/alarms`);
  expect(email.header('list-unsubscribe')).toBeNull();
  expect(world.counted).toMatchObject({ opened: ['all_rejected'], emails: ['sent', 'sent'], judged: 2 });
});

test('an open alarm gets its new evidence, and stays open while nobody says that it is over', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  world.rule.findings = [world.finding({ evidence: { rejected: 9 } })];
  await world.later(watch);
  const foundAt = new Date(world.clock.now());
  world.rule.findings = [];
  await world.later(watch);
  const alarms = await world.alarms();
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toMatchObject({ evidence: { rejected: 9 }, last_at: foundAt, closed_at: null });
});

test('reminders follow after an hour, a day and then each week; those that were missed are one', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.later(watch, 59 * minuteMs);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
  await world.later(watch, minuteMs);
  await world.later(watch, 22 * hourMs);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.reminder']);
  await world.later(watch, hourMs);
  await world.later(watch, 6 * dayMs);
  expect(await world.eventTypes()).toHaveLength(3);
  await world.later(watch, dayMs);
  await world.later(watch, 7 * dayMs);
  expect(await world.eventTypes()).toHaveLength(5);
  await world.later(watch, 30 * dayMs);
  await world.later(watch, minuteMs);
  expect(await world.eventTypes()).toHaveLength(6);
});

test('nobody is reminded of an alarm that was acknowledged, and its end is told', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.pool.query(`update alarms set acknowledged_at = now(), acknowledged_by = 'ada@example.com'`);
  await world.later(watch, 25 * hourMs);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
  await end();
  await world.later(watch);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.closed']);
});

test('a recovery is told once; what comes again is a new alarm', async () => {
  await world.person('ada.end@example.com');
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await end();
  await world.later(watch);
  await world.later(watch);
  expect(await world.alarms()).toMatchObject([{ closed_as: 'recovered' }]);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.closed']);
  expect(world.smtp.emails).toHaveLength(2);
  world.rule.findings = [world.finding()];
  await world.later(watch, hourMs);
  expect(await world.alarms()).toHaveLength(2);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.closed', 'alarm.opened']);
});

test.each(['superseded', 'removed'] as const)('that an alarm was %s is not told', async (as) => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await end(as);
  await world.later(watch);
  expect(await world.alarms()).toMatchObject([{ closed_as: as }]);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('a muted alarm is shown, but nobody is told of it, its reminders or its end', async () => {
  await world.person('ada.muted@example.com');
  const mutedUntil = new Date(world.clock.now() + 2 * hourMs);
  const rule = { kind: 'all_rejected', formId: world.formId, tokenId: null, isEnabled: true };
  await world.settings({ rules: [{ ...rule, mutedUntil, isSensitive: false, silentDays: null }] });
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.later(watch, hourMs);
  await end();
  await world.later(watch);
  expect(await world.alarms()).toMatchObject([{ closed_as: 'recovered' }]);
  expect(await world.notices()).toEqual(['opened muted']);
  expect(await world.eventTypes()).toEqual([]);
  expect(world.smtp.emails).toEqual([]);
});

test('once it is no longer muted, reminders are told', async () => {
  const mutedUntil = new Date(world.clock.now() + 2 * hourMs);
  const rule = { kind: 'all_rejected', formId: null, tokenId: null, isEnabled: true };
  await world.settings({ rules: [{ ...rule, mutedUntil, isSensitive: false, silentDays: null }] });
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.later(watch, 24 * hourMs);
  await end();
  await world.later(watch);
  expect(await world.eventTypes()).toEqual(['alarm.reminder', 'alarm.closed']);
});

test('a kind that is turned off raises no alarms, and closes those that are open without a word', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  const rule = { kind: 'all_rejected', formId: null, tokenId: null, isEnabled: false, mutedUntil: null };
  await world.settings({ rules: [{ ...rule, isSensitive: false, silentDays: null }] });
  await world.later(watch);
  await world.later(watch);
  expect(await world.alarms()).toMatchObject([{ closed_as: 'removed' }]);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('an alarm about a form that was deleted is closed without a word, and does not come again', async () => {
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.pool.query('update forms set deleted_at = now() where id = $1', [world.formId]);
  await world.later(watch);
  await world.later(watch);
  expect(await world.alarms()).toMatchObject([{ closed_as: 'removed' }]);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('an alarm that becomes worse is told, and one between two severities is not told again', async () => {
  world.rule.findings = [world.finding({ severity: 'low' })];
  const watch = world.watch();
  await watch.turn();
  expect(await world.eventTypes()).toEqual([]);
  for (const severity of ['high', 'medium', 'high', 'low'] as const) {
    world.rule.findings = [world.finding({ severity })];
    await world.later(watch);
  }
  expect(await world.alarms()).toMatchObject([{ severity: 'high' }]);
  expect(await world.notices()).toEqual(['opened told']);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('a suspended workspace gets only the alarms that its owners can still act on', async () => {
  await world.pool.query(`update workspaces set status = 'suspended' where id = $1`, [world.workspaceId]);
  world.rule.findings = [
    world.finding(),
    world.finding({ kind: 'after_change', reason: 'workspace_suspended', formId: null }),
    world.finding({ kind: 'after_change', reason: 'form_inactive' }),
    world.finding({ kind: 'held_waiting', formId: null }),
  ];
  await world.watch().turn();
  expect((await world.alarms()).map(({ kind }) => kind).toSorted()).toEqual(['after_change', 'held_waiting']);
});

test('when a workspace is suspended, alarms about its leads are closed without a word, whatever their rules say', async () => {
  world.rule.findings = [world.finding({ kind: 'expiry_near' }), world.finding({ kind: 'spam_surge' })];
  const watch = world.watch();
  await watch.turn();
  await world.pool.query(`update workspaces set status = 'suspended' where id = $1`, [world.workspaceId]);
  world.rule.findings = [];
  world.rule.over = (await world.alarms()).slice(0, 1).map(({ id }) => ({ alarmId: id, as: 'recovered' }));
  await world.later(watch);
  expect((await world.alarms()).map(({ closed_as }) => closed_as)).toEqual(['removed', 'removed']);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.opened']);
});

test('what is still wrong when a mute is over is told then', async () => {
  const mutedUntil = new Date(world.clock.now() + 3 * dayMs);
  const rule = { kind: 'all_rejected', formId: null, tokenId: null, isEnabled: true };
  await world.settings({ rules: [{ ...rule, mutedUntil, isSensitive: false, silentDays: null }] });
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  for (let day = 0; day < 2; day++) await world.later(watch, dayMs);
  expect(await world.notices()).toEqual(['opened muted']);
  await world.later(watch, dayMs);
  await world.later(watch);
  expect(await world.eventTypes()).toEqual(['alarm.reminder']);
});
