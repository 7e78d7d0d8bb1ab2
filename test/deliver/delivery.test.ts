import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newWebhookSecret } from '../../src/domain/destination/request/webhook-signature.ts';
import { destinationSecretOwner, responseHeadOwner } from '../../src/domain/destination/secrets.ts';
import { hourMs, secondMs } from '../../src/time/clock.ts';
import { DeliveryWorld, secretBox, until } from './delivery-world.ts';
import { accepts, Receiver, responds } from './receiver.ts';

let world: DeliveryWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await DeliveryWorld.create();
});
beforeEach(async () => {
  receiver = await new Receiver().start();
});
afterEach(async () => {
  await world.reset();
  await receiver.stop();
});
afterAll(() => world.close());

function verified(secret: string | undefined, place = 0): unknown {
  const { body, headers } = receiver.received[place] ?? { body: '', headers: {} };
  return new Webhook(String(secret)).verify(body, headers as Record<string, string>);
}

async function setDestination(id: string, change: string): Promise<void> {
  await world.pool.query(`update destinations set ${change} where id = $1`, [id]);
  await world.wake(id);
}

test('a due delivery is sent once, signed, and recorded with its attempt', async () => {
  const id = await world.destination({ url: receiver.url, headers: { 'X-Api-Key': 'key' } });
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'delivered', attempts: 1, last_status: 200, last_error: null });
  expect(verified(world.secrets.get(id))).toMatchObject({
    type: 'lead.accepted',
    data: { fields: { email: 'ada@example.com' }, form: { slug: 'contact' } },
  });
  expect(receiver.received[0]?.headers).toMatchObject({
    'x-api-key': 'key',
    'content-type': 'application/json',
  });
  expect(await world.attempts(delivery)).toMatchObject([{ n: 1, status: 200, error: null }]);
  await world.stop();
  expect(receiver.received).toHaveLength(1);
});

test('a delivery is not sent before it is due', async () => {
  const id = await world.destination({ url: receiver.url });
  const later = await world.add(id, { dueInMs: hourMs });
  const now = await world.add(id);
  world.start();
  await world.reaches(now, { state: 'delivered' });
  expect(await world.delivery(later)).toMatchObject({ state: 'pending', attempts: 0 });
  world.clock.shift(hourMs);
  await world.reaches(later, { state: 'delivered' });
});

test('a lead that was erased is not sent, and its delivery is cancelled', async () => {
  const id = await world.destination({ url: receiver.url });
  const submissionId = await world.lead();
  const delivery = await world.add(id, { submissionId });
  await world.pool.query('delete from leads where submission_id = $1', [submissionId]);
  world.start();
  await world.reaches(delivery, { state: 'cancelled', attempts: 0, last_error: 'The lead was erased.' });
  expect(receiver.received).toEqual([]);
});

test('a lead that no longer meets the filter is skipped', async () => {
  const filter = { all: [{ field: 'verdict', op: 'eq', value: 'clean' }] };
  const id = await world.destination({ url: receiver.url, filter });
  const delivery = await world.add(id, { submissionId: await world.lead({ verdict: 'spam' }) });
  const other = await world.add(id);
  world.start();
  await world.reaches(delivery, { state: 'skipped', attempts: 0 });
  await world.reaches(other, { state: 'delivered' });
  expect(receiver.received).toHaveLength(1);
});

test('a lead of a form that was deleted is not sent to a destination for other forms', async () => {
  const deletedId = randomUUID();
  const submissionId = await world.lead({ formId: deletedId });
  const other = await world.destination({ url: receiver.url, formIds: [world.formId] });
  const own = await world.destination({ url: receiver.url, formIds: [world.formId, deletedId] });
  const skipped = await world.add(other, { submissionId });
  const delivered = await world.add(own, { submissionId });
  world.start();
  await world.reaches(skipped, { state: 'skipped', attempts: 0 });
  await world.reaches(delivered, { state: 'delivered' });
});

test('events without a lead are sent', async () => {
  const id = await world.destination({ url: receiver.url });
  const submissionId = '0190a6c8-1111-7000-8000-000000000001';
  const erased = await world.add(id, { event: 'lead.erased', submissionId });
  const eventData = { id: submissionId, name: 'Other', reason: 'gone' };
  const disabled = await world.add(id, { event: 'destination.disabled', submissionId: null, eventData });
  world.start();
  await world.reaches(erased, { state: 'delivered' });
  await world.reaches(disabled, { state: 'delivered' });
  const payloads = receiver.received.map(({ body }) => JSON.parse(body));
  expect(payloads.find(({ type }) => type === 'lead.erased').data).toEqual({ submission_id: submissionId });
  expect(payloads.find(({ type }) => type === 'destination.disabled').data).toEqual({
    destination: eventData,
  });
});

test('deliveries to a paused destination wait until it is resumed', async () => {
  const id = await world.destination({ url: receiver.url, status: 'paused' });
  const other = await world.destination({ url: receiver.url });
  const delivery = await world.add(id);
  world.start();
  await world.reaches(await world.add(other), { state: 'delivered' });
  expect(await world.delivery(delivery)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(receiver.received).toHaveLength(1);
  await setDestination(id, `status = 'active'`);
  await world.reaches(delivery, { state: 'delivered' });
});

test('what is read again before each try is the present URL and secret', async () => {
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = responds(500);
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, { attempts: 1 });
  receiver.behaviour = accepts;
  const secret = newWebhookSecret();
  const before = world.secrets.get(id);
  await world.pool.query(
    `update destinations set version = version + 1, config = jsonb_set(config, '{url}', $2),
       previous_secret_ciphertext = secret_ciphertext, previous_valid_until = now() + interval '1 day',
       secret_ciphertext = $3 where id = $1`,
    [id, JSON.stringify(`${receiver.url}/new`), secretBox.seal(secret, destinationSecretOwner(id))],
  );
  world.clock.shift(10 * secondMs);
  await world.reaches(delivery, { state: 'delivered', destination_version: 2 });
  expect(receiver.received.at(-1)?.path).toBe('/leads/new');
  // During a rotation either signature is valid.
  for (const each of [before, secret]) expect(verified(each, 1)).toMatchObject({ type: 'lead.accepted' });
  expect(new Set(receiver.ids()).size).toBe(1);
});

test('deliveries to a deleted destination are cancelled', async () => {
  const id = await world.destination({ url: receiver.url });
  const delivery = await world.addUnnoticed(id);
  await world.pool.query('delete from destinations where id = $1', [id]);
  world.start();
  await world.reaches(delivery, { state: 'cancelled', last_error: 'The destination was deleted.' });
  expect(receiver.received).toEqual([]);
});

test('while a workspace is suspended its deliveries wait, and no try is counted', async () => {
  const id = await world.destination({ url: receiver.url });
  const suspend = (status: string) =>
    world.pool.query(
      `update workspaces set status = $2, suspended_at = case when $2 = 'suspended' then now() end where id = $1`,
      [world.workspaceId, status],
    );
  await suspend('suspended');
  const delivery = await world.add(id);
  world.start();
  await until(async () => {
    const { rows } = await world.pool.query(
      `select wake_at > now() + interval '20 seconds' as waits, instance_id from destination_leases where destination_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ waits: true, instance_id: null }]);
  });
  await suspend('active');
  expect(await world.delivery(delivery)).toMatchObject({ state: 'pending', attempts: 0 });
  world.clock.shift(31 * secondMs);
  await world.reaches(delivery, { state: 'delivered', attempts: 1 });
});

test.each([
  [422, 'The receiver refuses this: 422', 'refused'],
  [301, 'The receiver redirects elsewhere, which is not followed: 301', 'redirected'],
  [503, 'The receiver failed: 503', 'failed'],
])(
  'a response with %d is a failure, and the delivery is tried again after five seconds',
  async (status, error, errorClass) => {
    const id = await world.destination({ url: receiver.url });
    receiver.behaviour = responds(status, { location: 'http://127.0.0.1:1/private' });
    world.start();
    const delivery = await world.add(id);
    await world.reaches(delivery, { state: 'pending', attempts: 1, last_status: status, last_error: error });
    const { next_at, last_error_class } = await world.delivery(delivery);
    expect(last_error_class).toBe(errorClass);
    const waitMs = next_at.getTime() - world.clock.now();
    expect(waitMs).toBeLessThan(6 * secondMs);
    receiver.behaviour = accepts;
    world.clock.shift(6 * secondMs);
    await world.reaches(delivery, { state: 'delivered', attempts: 2, last_error: null });
    expect((await world.attempts(delivery)).map(({ status: each }) => each)).toEqual([status, 200]);
    expect(new Set(receiver.ids()).size).toBe(1);
  },
);

test.each([
  ['0', 0, 0.002],
  ['3600', 0.999, 1.001],
  ['315360000', 23.99, 24.01],
])('Retry-After: %s is honoured, up to a day', async (asked, hoursMin, hoursMax) => {
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = responds(429, { 'retry-after': asked });
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'pending', attempts: 1, last_status: 429 });
  const { next_at } = await world.delivery(delivery);
  const hours = (next_at.getTime() - world.clock.now()) / hourMs;
  expect(hours).toBeGreaterThan(hoursMin - 0.01);
  expect(hours).toBeLessThan(hoursMax);
});

test('after ten tries a delivery is dead', async () => {
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = responds(500);
  world.start();
  const delivery = await world.add(id);
  for (let tries = 1; tries < 10; tries++) {
    await world.reaches(delivery, { state: 'pending', attempts: tries });
    world.clock.shift(27 * hourMs);
    await world.wake(id);
  }
  await world.reaches(delivery, { state: 'dead', attempts: 10, last_status: 500 });
  expect(await world.attempts(delivery)).toHaveLength(10);
  expect(new Set(receiver.ids()).size).toBe(1);
});

test('the response is kept encrypted, for its owner only', async () => {
  const id = await world.destination({ url: receiver.url });
  const head = Buffer.from('content-type: text/html\n\n<h1>Thanks</h1>');
  world.start({ sender: { post: async () => ({ status: 200, retryAfterMs: null, head, ms: 3 }) } });
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'delivered' });
  const [{ response_head }] = await world.attempts(delivery);
  expect(response_head.includes('Thanks')).toBe(false);
  expect(secretBox.openBytes(response_head, responseHeadOwner(delivery))).toEqual(head);
});

test('deliveries of a destination whose key is missing wait, and those of others do not', async () => {
  const id = await world.destination({ url: receiver.url });
  await setDestination(id, `secret_ciphertext = '\\x02'`);
  const waiting = await world.add(id);
  const other = await world.destination({ url: receiver.url });
  world.start();
  await world.reaches(await world.add(other), { state: 'delivered' });
  expect(await world.delivery(waiting)).toMatchObject({ state: 'pending', attempts: 0 });
});

test('a destination that nobody woke is found by the sweep', async () => {
  const id = await world.destination({ url: receiver.url });
  const delivery = await world.addUnnoticed(id);
  world.start();
  await world.reaches(delivery, { state: 'delivered' });
});

test('a large lead is sent whole up to the limit, and as IDs with a link above it', async () => {
  const id = await world.destination({ url: receiver.url });
  const large = await world.lead({ fields: { message: 'x'.repeat(128_000) } });
  const largest = await world.lead({ fields: { message: 'x'.repeat(300_000) } });
  world.start();
  const deliveries = [
    await world.add(id, { submissionId: large }),
    await world.add(id, { submissionId: largest }),
  ];
  for (const delivery of deliveries) await world.reaches(delivery, { state: 'delivered' });
  const byId = new Map(
    receiver.received.map(({ body }) => [JSON.parse(body).data.submission_id, JSON.parse(body).data]),
  );
  expect(byId.get(large).fields.message).toHaveLength(128_000);
  expect(byId.get(largest)).toMatchObject({ truncated: true, url: expect.stringContaining(largest) });
});
