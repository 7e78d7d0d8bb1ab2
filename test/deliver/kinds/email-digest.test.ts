import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { cancelDeliveries } from '../../../src/db/deliver/erased-deliveries.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { hourMs, minuteMs, secondMs } from '../../../src/time/clock.ts';
import { until } from '../delivery-world.ts';
import { EmailWorld } from './email-world.ts';

let world: EmailWorld;

beforeAll(async () => {
  world = await EmailWorld.create();
});
afterEach(() => world.reset());
afterAll(() => world.close());

const names = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `Lead ${i + 1}` }));

/** Resolves to when they will be sent. */
async function collecting(destinationId: string): Promise<Date> {
  await until(async () => expect(await world.digestAt(destinationId)).not.toBeNull());
  return (await world.digestAt(destinationId)) as Date;
}

async function addAll(destinationId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (const fields of names(count)) ids.push(await world.add(destinationId, fields));
  return ids;
}

test('an hourly digest is one email at the full hour, with the number of leads and a link to each', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ config: { every: 'hour' }, to: ['max@example.com'] });
  const ids = await addAll(id, 3);
  world.start();
  const at = await collecting(id);
  expect(at.getTime() % hourMs).toBe(0);
  expect(world.smtp.emails).toEqual([]);
  world.to(new Date(at.getTime() + secondMs));
  for (const delivery of ids) await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 1 });
  expect(world.subjects()).toEqual(['Sales: 3 leads']);
  const [email] = world.emails();
  for (const { name } of names(3))
    expect(email?.text).toMatch(new RegExp(`- New lead: ${name}\\n  https://leads`));
  expect(email?.header('reply-to')).toBeNull();
});

test('what is due after the full hour waits for the next digest, even if the service was down', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ config: { every: 'hour' }, to: ['max@example.com'] });
  const [early] = await addAll(id, 1);
  world.deliveries.clock.shift(hourMs);
  const [late] = await addAll(id, 1);
  world.start();
  await world.deliveries.reaches(early ?? '', { state: 'delivered' });
  expect(world.subjects()).toEqual(['Sales: 1 lead']);
  expect(await world.deliveries.delivery(late ?? '')).toMatchObject({ state: 'pending', attempts: 0 });
});

test('a daily digest is sent at the hour of its time zone', async () => {
  world.toTenPastNoon();
  const id = await world.destination({
    config: { every: 'day', hour: 8, timeZone: 'Asia/Kathmandu' },
    to: ['max@example.com'],
  });
  await addAll(id, 2);
  world.start();
  const at = await collecting(id);
  expect(at.toISOString()).toMatch(/T02:15:00\.000Z$/);
  world.to(at);
  await until(() => expect(world.subjects()).toEqual(['Sales: 2 leads']));
});

test('a digest counts more leads than it shows', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ config: { every: 'hour' }, to: ['max@example.com'] });
  const ids = await addAll(id, 60);
  world.start();
  world.to(new Date((await collecting(id)).getTime() + secondMs));
  for (const delivery of ids) await world.deliveries.reaches(delivery, { state: 'delivered' });
  expect(world.subjects()).toEqual(['Sales: 60 leads']);
  const [email] = world.emails();
  expect(email?.text.match(/^- New lead/gm)).toHaveLength(25);
  expect(email?.text).toContain('and 35 more');
  // What the mail server said is kept with those that are shown.
  const { rows } = await world.deliveries.pool.query(
    `select count(*)::int as attempts, count(a.response_head)::int as heads
     from delivery_attempts a join deliveries d on d.shard = a.shard and d.id = a.delivery_id where d.destination_id = $1`,
    [id],
  );
  expect(rows).toEqual([{ attempts: 60, heads: 25 }]);
});

test('more than 30 leads an hour become a digest', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ to: ['max@example.com'] });
  const ids = await addAll(id, 42);
  world.start();
  const at = await collecting(id);
  expect(at.getTime() % hourMs).toBe(0);
  expect(await world.deliveries.count(id, 'delivered')).toBe(30);
  expect(world.subjects()).toEqual(names(30).map(({ name }) => `New lead: ${name}`));
  world.to(new Date(at.getTime() + secondMs));
  for (const delivery of ids) await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 1 });
  expect(world.subjects().slice(30)).toEqual(['Sales: 12 leads']);
});

test('more than 30 leads an hour become a digest, even if one recipient is always refused', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ to: ['max@example.com', 'eve@example.com'] });
  await addAll(id, 42);
  world.smtp.behaviour.refusals.set('eve@example.com', { code: 550, text: 'no' });
  world.start();
  const at = await collecting(id);
  expect(world.subjects()).toEqual(names(30).map(({ name }) => `New lead: ${name}`));
  world.to(new Date(at.getTime() + secondMs));
  await until(() => expect(world.subjects().slice(30)).toEqual(['Sales: 12 leads']));
});

test('a digest that failed is sent again as one email, and not held up until the next one', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ config: { every: 'hour' }, to: ['max@example.com'] });
  const ids = await addAll(id, 3);
  world.smtp.behaviour.refusedEmails.set('max@example.com', { code: 451, text: 'try later' });
  world.start();
  world.to(new Date((await collecting(id)).getTime() + secondMs));
  for (const delivery of ids)
    await world.deliveries.reaches(delivery, {
      state: 'pending',
      attempts: 1,
      last_error_class: 'throttled',
    });
  world.smtp.behaviour.refusedEmails.clear();
  const [later] = await addAll(id, 1);
  await collecting(id);
  world.deliveries.clock.shift(minuteMs);
  for (const delivery of ids) await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 2 });
  expect(world.subjects()).toEqual(['Sales: 3 leads']);
  expect(await world.deliveries.delivery(later ?? '')).toMatchObject({ state: 'pending', attempts: 0 });
});

test('a recipient who was refused gets the digest again, and the others do not', async () => {
  world.toTenPastNoon();
  const id = await world.destination({
    config: { every: 'hour' },
    to: ['max@example.com', 'eve@example.com'],
  });
  const ids = await addAll(id, 3);
  world.smtp.behaviour.refusals.set('eve@example.com', { code: 450, text: 'mailbox full' });
  world.start();
  world.to(new Date((await collecting(id)).getTime() + secondMs));
  for (const delivery of ids) await world.deliveries.reaches(delivery, { state: 'pending', attempts: 1 });
  world.smtp.behaviour.refusals.clear();
  world.deliveries.clock.shift(minuteMs);
  for (const delivery of ids) await world.deliveries.reaches(delivery, { state: 'delivered', attempts: 2 });
  expect(world.smtp.recipients).toEqual(['max@example.com', 'eve@example.com']);
  expect(world.subjects()).toEqual(['Sales: 3 leads', 'Sales: 3 leads']);
});

test('a lead that was erased is neither counted nor shown in a digest', async () => {
  world.toTenPastNoon();
  const { pool, workspaceId } = world.deliveries;
  const id = await world.destination({ config: { every: 'hour' }, to: ['max@example.com'] });
  const submissionId = await world.deliveries.lead({ fields: { name: 'Erased' } });
  const erased = await world.deliveries.add(id, { submissionId });
  const [kept] = await addAll(id, 1);
  await pool.query('delete from leads where submission_id = $1', [submissionId]);
  await inTransaction(pool, (client) => cancelDeliveries(client, workspaceId, [submissionId]));
  world.start();
  world.to(new Date((await collecting(id)).getTime() + secondMs));
  await world.deliveries.reaches(kept ?? '', { state: 'delivered' });
  await world.deliveries.reaches(erased, { state: 'cancelled' });
  expect(world.subjects()).toEqual(['Sales: 1 lead']);
  expect(world.emails()[0]?.text).not.toContain('Erased');
});

test('a lead that was erased while it was collected is not in the digest, even without its delivery being cancelled', async () => {
  world.toTenPastNoon();
  const id = await world.destination({ config: { every: 'hour' }, to: ['max@example.com'] });
  const submissionId = await world.deliveries.lead({ fields: { name: 'Erased' } });
  const erased = await world.deliveries.add(id, { submissionId });
  const [kept] = await addAll(id, 1);
  world.start();
  const at = await collecting(id);
  await world.deliveries.pool.query('delete from leads where submission_id = $1', [submissionId]);
  world.to(new Date(at.getTime() + secondMs));
  await world.deliveries.reaches(kept ?? '', { state: 'delivered' });
  await world.deliveries.reaches(erased, { state: 'cancelled' });
  expect(world.subjects()).toEqual(['Sales: 1 lead']);
});
