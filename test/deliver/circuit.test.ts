import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../src/time/clock.ts';
import { DeliveryWorld, until } from './delivery-world.ts';
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

async function status(id: string) {
  const { rows } = await world.pool.query('select status, disabled_reason from destinations where id = $1', [
    id,
  ]);
  return rows[0];
}

async function notes(): Promise<object[]> {
  const { rows } = await world.pool.query(
    `delete from enrichment_outbox where type = 'destination.disabled' returning data, workspace_ids::text[]`,
  );
  return rows;
}

/** Makes its last failure happen at the present time. */
async function failing(id: string, forMs: number, failures = 12): Promise<void> {
  const now = world.clock.now();
  await world.pool.query(
    `update destination_health set consecutive_failures = $2, opened_at = $3, next_probe_at = $4, failing_since = $3,
       last_error = 'The receiver failed: 500' where destination_id = $1`,
    [id, failures, new Date(now - forMs), new Date(now)],
  );
}

test('after ten failures in a row one delivery is tried, and the others keep their tries', async () => {
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = responds(500);
  const deliveries: string[] = [];
  for (let i = 0; i < 15; i++) deliveries.push(await world.add(id));
  world.start();
  await until(async () => expect((await world.health(id)).opened_at).not.toBeNull());
  await until(async () => expect(await lease(id)).toBeNull());
  const tried = receiver.received.length;
  expect(tried).toBeLessThan(15);
  const { rows } = await world.pool.query(
    'select count(*)::int as count from deliveries where destination_id = $1 and attempts = 0',
    [id],
  );
  expect(rows[0].count).toBe(15 - tried);
  // The first probe fails: one request.
  world.clock.shift(6_000);
  await until(async () => expect((await world.health(id)).consecutive_failures).toBe(11));
  expect(receiver.received).toHaveLength(tried + 1);
  // The next one succeeds, and everything follows.
  receiver.behaviour = accepts;
  world.clock.shift(6 * minuteMs);
  await until(async () => expect(await world.count(id, 'delivered')).toBe(15));
  await until(async () =>
    expect(await world.health(id)).toMatchObject({
      consecutive_failures: 0,
      opened_at: null,
      failing_since: null,
      last_error: null,
    }),
  );
});

async function lease(id: string): Promise<string | null> {
  const { rows } = await world.pool.query(
    'select instance_id from destination_leases where destination_id = $1',
    [id],
  );
  return rows[0].instance_id;
}

test('a receiver that responds with 410 is disabled, and other destinations are told', async () => {
  await notes();
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = responds(410);
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'dead', attempts: 1, last_status: 410 });
  await until(async () => expect(await status(id)).toEqual({ status: 'disabled', disabled_reason: 'gone' }));
  expect(await notes()).toEqual([
    { data: { id, name: 'CRM', reason: 'gone' }, workspace_ids: [world.workspaceId] },
  ]);
  const later = await world.add(id);
  const other = await world.destination({ url: receiver.url });
  receiver.behaviour = accepts;
  await world.reaches(await world.add(other), { state: 'delivered' });
  expect(await world.delivery(later)).toMatchObject({ state: 'pending', attempts: 0 });
});

test('a 410 for a URL that its owner has changed in the meantime disables nothing', async () => {
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = (_, response) => {
    void world.pool
      .query('update destinations set version = version + 1 where id = $1', [id])
      .then(() => response.writeHead(410).end());
  };
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'pending', attempts: 1, last_status: 410 });
  expect(await status(id)).toMatchObject({ status: 'active' });
});

test('a destination that fails for five days is disabled with the next failure', async () => {
  await notes();
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = responds(500);
  await failing(id, 5 * dayMs + 1);
  const delivery = await world.add(id);
  world.start();
  await until(async () =>
    expect(await status(id)).toEqual({ status: 'disabled', disabled_reason: 'failing' }),
  );
  await world.reaches(delivery, { state: 'pending', attempts: 1 });
  expect(await notes()).toMatchObject([{ data: { id, reason: 'failing' } }]);
});

test('a request that fails after an owner has resumed the destination does not close it again', async () => {
  const id = await world.destination({ url: receiver.url });
  await failing(id, hourMs);
  const held = Promise.withResolvers<() => void>();
  receiver.behaviour = (_, response) => held.resolve(() => response.writeHead(500).end());
  const delivery = await world.add(id);
  world.start();
  const fail = await held.promise;
  // What resuming does.
  await world.pool.query('update destinations set version = version + 1 where id = $1', [id]);
  await world.pool.query(
    `update destination_health set consecutive_failures = 0, opened_at = null, next_probe_at = null, failing_since = null
     where destination_id = $1`,
    [id],
  );
  fail();
  await world.reaches(delivery, { attempts: 1 });
  await until(async () => expect(await lease(id)).toBeNull());
  expect(await world.health(id)).toMatchObject({ consecutive_failures: 0, next_probe_at: null });
});
