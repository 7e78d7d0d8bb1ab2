import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { wakeDestinations } from '../../../src/db/deliver/new-deliveries.ts';
import { hourMs } from '../../../src/time/clock.ts';
import { until } from '../delivery-world.ts';
import { EmailWorld } from '../kinds/email-world.ts';
import { Receiver } from '../receiver.ts';
import { alarmData } from './some-alarms.ts';

let world: EmailWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await EmailWorld.create();
});
beforeEach(async () => {
  receiver = await new Receiver().start();
  world.toTenPastNoon();
});
afterEach(async () => {
  await world.reset();
  await receiver.stop();
});
afterAll(() => world.close());

const about = (values: Record<string, unknown> = {}, event = 'alarm.opened') => ({
  event,
  submissionId: null,
  eventData: alarmData(values),
});

/** As the relay does it. */
async function tell(destinationId: string, values: Record<string, unknown> = {}): Promise<string> {
  const { deliveries } = world;
  const id = await deliveries.addUnnoticed(destinationId, about(values));
  const wake = { at: new Date(deliveries.clock.now()), isUrgent: true };
  await wakeDestinations(deliveries.pool, new Map([[destinationId, wake]]));
  return id;
}

test('an alarm is emailed immediately and alone, although leads are collected until the next day', async () => {
  const { deliveries } = world;
  const id = await world.destination({ to: ['max@example.com'], config: { every: 'day' } });
  const leads = [await world.add(id), await world.add(id)];
  world.start();
  await until(async () => expect(await world.digestAt(id)).not.toBeNull());
  const alarm = await tell(id);
  await deliveries.reaches(alarm, { state: 'delivered', attempts: 1 });
  expect(world.subjects()).toEqual(['Alarm: All leads for Contact are rejected']);
  for (const lead of leads) expect(await deliveries.delivery(lead)).toMatchObject({ state: 'pending' });
  await until(async () => expect(await world.digestAt(id)).not.toBeNull());
  deliveries.clock.shift(24 * hourMs);
  await until(async () => expect(await deliveries.count(id, 'delivered')).toBe(3));
  expect(world.subjects()).toEqual(['Alarm: All leads for Contact are rejected', 'Sales: 2 leads']);
});

test('an alarm that nobody was woken for is found, although leads are collected until the next day', async () => {
  const { deliveries } = world;
  const id = await world.destination({ to: ['max@example.com'], config: { every: 'day' } });
  await world.add(id);
  world.start();
  await until(async () => expect(await world.digestAt(id)).not.toBeNull());
  await world.deliveries.stop();
  const alarm = await deliveries.addUnnoticed(id, about());
  world.start();
  await deliveries.reaches(alarm, { state: 'delivered' });
  expect(await deliveries.count(id, 'pending')).toBe(1);
});

test('alarms are emailed one by one, although so many leads were that the rest is collected', async () => {
  const { deliveries } = world;
  const id = await world.destination({ to: ['max@example.com'], perSecond: 500 });
  for (let n = 0; n < 35; n++) await world.add(id);
  world.start();
  await until(async () => expect(await world.digestAt(id)).not.toBeNull());
  const alarms = [await tell(id, { title: 'One' }), await tell(id, { title: 'Two' })];
  for (const alarm of alarms) await deliveries.reaches(alarm, { state: 'delivered' });
  const ofAlarms = world.subjects().filter((subject) => subject?.startsWith('Alarm: '));
  expect(ofAlarms.toSorted()).toEqual(['Alarm: One', 'Alarm: Two']);
  expect(world.subjects().filter((subject) => subject?.endsWith(' leads'))).toEqual([]);
  expect(await deliveries.count(id, 'pending')).toBeGreaterThan(0);
});

test('an alarm leaves before all leads that were due earlier', async () => {
  const { deliveries } = world;
  const id = await deliveries.destination({ url: receiver.url, perSecond: 500 });
  for (let n = 0; n < 40; n++) await deliveries.addUnnoticed(id, { dueInMs: -hourMs });
  const alarm = await deliveries.add(id, about());
  world.start();
  await deliveries.reaches(alarm, { state: 'delivered' });
  expect(JSON.parse(receiver.received[0]?.body ?? '').type).toBe('alarm.opened');
  await until(async () => expect(await deliveries.count(id, 'delivered')).toBe(41));
  expect(receiver.received).toHaveLength(41);
});

test('an alarm that failed is sent when its retry is due, and the digest of leads keeps its time', async () => {
  const { deliveries } = world;
  const id = await world.destination({ to: ['max@example.com'], config: { every: 'day' } });
  await world.add(id);
  const alarm = await deliveries.add(id, { ...about(), attempts: 1, dueInMs: hourMs });
  world.start();
  await until(async () => expect(await world.digestAt(id)).not.toBeNull());
  deliveries.clock.shift(hourMs);
  await deliveries.reaches(alarm, { state: 'delivered', attempts: 2 });
  expect(world.subjects()).toEqual(['Alarm: All leads for Contact are rejected']);
});

test('an alarm about a form that the destination has no longer to do with is not sent', async () => {
  const { deliveries } = world;
  const id = await deliveries.destination({ url: receiver.url, formIds: [deliveries.formId] });
  world.start();
  const other = await deliveries.add(id, about({ form_id: randomUUID() }));
  await deliveries.reaches(other, { state: 'skipped', last_error_class: 'filtered', attempts: 0 });
  const own = await deliveries.add(id, about({ form_id: deliveries.formId }));
  await deliveries.reaches(own, { state: 'delivered' });
  const workspace = await deliveries.add(id, about({ form_id: null }));
  await deliveries.reaches(workspace, { state: 'delivered' });
  expect(receiver.received).toHaveLength(2);
});
