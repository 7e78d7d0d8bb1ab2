import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AlarmWatch } from '../../../src/alarms/watch.ts';
import type { Finding } from '../../../src/domain/alarm/alarm.ts';
import { hourMs, minuteMs } from '../../../src/time/clock.ts';
import { AlarmWorld } from './alarm-world.ts';

let world: AlarmWorld;

beforeAll(async () => {
  world = await AlarmWorld.create();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

/** Opens an alarm, and closes it some minutes later. */
async function flap(watch: AlarmWatch, values: Partial<Finding> = {}): Promise<void> {
  Object.assign(world.rule, { findings: [world.finding(values)], over: [] });
  await world.later(watch, 4 * minuteMs);
  const over = (await world.alarms()).map(({ id }) => ({ alarmId: id, as: 'recovered' as const }));
  Object.assign(world.rule, { findings: [], over });
  await world.later(watch, 4 * minuteMs);
}

async function digestOf(place: number): Promise<{ alarms: { closed_at: string | null }[]; more: number }> {
  const digests = (await world.events()).filter(({ type }) => type === 'alarm.digest');
  return digests[place]?.data as never;
}

test('what opens and closes every few minutes is told once, and then once an hour in one line', async () => {
  const watch = world.watch();
  for (let i = 0; i < 15; i++) await flap(watch);
  expect(await world.alarms()).toHaveLength(15);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.closed', 'alarm.digest']);
  expect(await digestOf(0)).toMatchObject({
    alarms: [{ title: 'All leads for Contact are rejected' }],
    more: 0,
  });
  for (let i = 0; i < 15; i++) await flap(watch);
  const types = await world.eventTypes();
  expect(types.filter((type) => type === 'alarm.opened')).toHaveLength(1);
  // In four hours: an end is told if the digest said that it was open.
  expect(types.length).toBeLessThanOrEqual(8);
});

test('what came again and lasts is told at the end of the hour', async () => {
  const watch = world.watch();
  await flap(watch);
  Object.assign(world.rule, { findings: [world.finding()], over: [] });
  await world.later(watch, 5 * minuteMs);
  await world.later(watch, 50 * minuteMs);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.closed']);
  await world.later(watch, 5 * minuteMs);
  expect(await world.eventTypes()).toEqual(['alarm.opened', 'alarm.closed', 'alarm.digest']);
  expect(await digestOf(0)).toMatchObject({ alarms: [{ closed_at: null }] });
});

test('an alarm is told immediately if only less severe ones about the same were told before, or others', async () => {
  const watch = world.watch();
  const spike = { kind: 'reject_spike', reason: 'body_not_json' } as const;
  await flap(watch, { ...spike, severity: 'medium' });
  await flap(watch, { ...spike, severity: 'high' });
  await flap(watch, { ...spike, severity: 'high', reason: 'body_too_deep' });
  await flap(watch, { ...spike, severity: 'high', formId: await world.form(randomUUID(), 'Other') });
  expect(await world.eventTypes()).toEqual(Array(4).fill(['alarm.opened', 'alarm.closed']).flat());
});

test('what web pages can cause does not use up the room of what is more important', async () => {
  const watch = world.watch();
  for (let i = 0; i < 30; i++)
    world.rule.findings.push(
      world.finding({
        ...{ kind: 'spam_surge', severity: 'medium', formId: await world.form(randomUUID(), `Form ${i}`) },
      }),
    );
  await watch.turn();
  expect(await world.eventTypes()).toHaveLength(10);
  for (let i = 0; i < 10; i++)
    world.rule.findings.push(world.finding({ formId: await world.form(randomUUID(), `Form ${i}`) }));
  await world.later(watch);
  expect(await world.eventTypes()).toEqual(Array(20).fill('alarm.opened'));
  // The rest of them waits for its own room.
  await world.pool.query(`update alarms set acknowledged_at = now(), acknowledged_by = 'x'`);
  await world.later(watch, 58 * minuteMs);
  expect(await world.eventTypes()).toHaveLength(20);
  await world.later(watch, hourMs);
  expect(await digestOf(0)).toMatchObject({ alarms: Array(20).fill({ kind: 'spam_surge' }) });
});
