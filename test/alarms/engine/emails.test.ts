import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../src/time/clock.ts';
import { parseEmail } from '../../support/smtp.ts';
import { AlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;
let people = 0;

beforeAll(async () => {
  world = await AlarmWorld.create();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const newEmail = (name: string) => `${name}.${++people}@example.com`;

async function emailState(): Promise<string[]> {
  const { rows } = await world.pool.query('select email_state from alarm_notices where workspace_id = $1', [
    world.workspaceId,
  ]);
  return rows.map(({ email_state }) => email_state);
}

test('someone who is no longer an owner when the email is sent gets none', async () => {
  const [stays, leaves] = [newEmail('stays'), newEmail('leaves')];
  await world.person(stays);
  const gone = await world.person(leaves);
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  world.smtp.behaviour.refusals.set(leaves, { code: 451, text: 'later' });
  await watch.turn();
  expect(world.smtp.recipients).toEqual([stays]);
  world.smtp.behaviour.refusals.clear();
  await world.pool.query('delete from memberships where person_id = $1', [gone]);
  await world.later(watch, 5 * minuteMs);
  expect(world.smtp.recipients).toEqual([stays]);
  expect(await emailState()).toEqual(['sent']);
});

test('a recipient that is refused permanently is not tried again, and the others get their email', async () => {
  const [good, bad] = [newEmail('good'), newEmail('bad')];
  for (const email of [bad, good]) await world.person(email);
  world.smtp.behaviour.refusals.set(bad, { code: 550, text: 'no such user' });
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  expect([world.smtp.recipients, await emailState()]).toEqual([[good], ['sent']]);
  world.smtp.behaviour.refusals.clear();
  await world.later(watch, 10 * minuteMs);
  expect(world.smtp.recipients).toEqual([good]);
  expect(world.counted.emails.toSorted()).toEqual(['refused', 'sent']);
});

test('an email is tried for three days, with the same Message-ID and further and further apart', async () => {
  const email = newEmail('later');
  await world.person(email);
  world.smtp.behaviour.refusals.set(email, { code: 451, text: 'later' });
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  await world.pool.query(`update alarms set acknowledged_at = now(), acknowledged_by = 'x'`);
  for (let hour = 0; hour < 24; hour++) await world.later(watch, hourMs);
  expect([world.counted.emails.length, await emailState()]).toEqual([25, ['due']]);
  await world.later(watch, 2 * dayMs + hourMs);
  expect(await emailState()).toEqual(['failed']);
  expect(world.smtp.emails).toEqual([]);
});

test('a mail server that is down delays emails, and loses none', async () => {
  const email = newEmail('down');
  await world.person(email);
  world.rule.findings = [world.finding()];
  let isDown = true;
  const down = { isAccepted: false, isAboutRecipient: false, status: null, text: '' };
  const accepted = { isAccepted: true, isAboutRecipient: true, status: 250, text: 'OK' };
  const sent: string[] = [];
  const mail = {
    isOn: true,
    deliver: async ({ id, to }: { id: string; to: string }) => {
      sent.push(`${to} ${id}`);
      return isDown ? down : accepted;
    },
  };
  const watch = world.watch({ mail });
  await watch.turn();
  isDown = false;
  await world.later(watch, minuteMs);
  await world.later(watch, hourMs - 2 * minuteMs);
  expect(sent).toHaveLength(2);
  expect(new Set(sent).size).toBe(1);
  expect(await emailState()).toEqual(['sent']);
});

test('owners who want no emails get none, and neither does anyone without a mail server', async () => {
  await world.person(newEmail('none'));
  await world.settings({ emailOwners: false });
  world.rule.findings = [world.finding()];
  const watch = world.watch();
  await watch.turn();
  expect([world.smtp.emails, await emailState()]).toEqual([[], ['none']]);
  await watch.stop();
  await world.reset();
  await world.person(newEmail('none'));
  world.rule.findings = [world.finding()];
  const off = { isOn: false, deliver: () => Promise.reject(new Error('off')) };
  await world.watch({ mail: off }).turn();
  expect(await emailState()).toEqual(['none']);
  expect(await world.eventTypes()).toEqual(['alarm.opened']);
});

test('names of workspaces and forms cannot change the head of an email, or become markup', async () => {
  await world.person(newEmail('names'));
  await world.pool.query(`update workspaces set name = $2 where id = $1`, [
    world.workspaceId,
    'Acme\r\nBcc: eve@example.com\u202e =?utf-8?q?x?= <b>bold</b>',
  ]);
  world.rule.findings = [world.finding()];
  await world.watch().turn();
  expect(world.smtp.emails).toHaveLength(1);
  const { headers, html, header } = parseEmail(world.smtp.emails[0] ?? '');
  expect(headers.map(([name]) => name)).not.toContain('bcc');
  expect(header('subject')).toMatch(/^Acme Bcc: eve@example.com = \?utf-8/);
  expect(html).not.toContain('<b>');
});
