import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeliverDatabase } from '../../src/db/deliver/deliver-database.ts';
import { cancelDeliveries } from '../../src/db/deliver/erased-deliveries.ts';
import { NoPrimaryError } from '../../src/db/errors.ts';
import { inTransaction } from '../../src/db/pool.ts';
import type { PostResult } from '../../src/net/delivery/delivery-http.ts';
import { secondMs } from '../../src/time/clock.ts';
import { type Outage, openDoor } from '../support/database/outage.ts';
import { DeliveryWorld, until } from './delivery-world.ts';
import { Receiver } from './receiver.ts';

let world: DeliveryWorld;
let receiver: Receiver;
/** On a cluster, everyone reaches its nodes through the doors once they are open. */
const doors: Outage[] = [];

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
afterAll(async () => {
  await world.close();
  for (const door of doors) await door.close();
});

/** Requests that wait until the test responds to them. */
class HeldSender {
  readonly waiting: ((status: number) => void)[] = [];

  post(): Promise<PostResult> {
    return new Promise((resolve) => {
      this.waiting.push((status) => resolve({ status, retryAfterMs: null, head: null, ms: 1 }));
    });
  }

  respond(status: number): void {
    for (const respond of this.waiting.splice(0)) respond(status);
  }
}

async function lease(destinationId: string) {
  const { rows } = await world.pool.query(
    'select instance_id, until, wake_at from destination_leases where destination_id = $1',
    [destinationId],
  );
  return rows[0];
}

async function giveTo(destinationId: string, instanceId: string, forMs: number): Promise<void> {
  await world.pool.query(
    `update destination_leases set instance_id = $2, until = $3, wake_at = 'infinity' where destination_id = $1`,
    [destinationId, instanceId, new Date(world.clock.now() + forMs)],
  );
}

test('two instances share the work, and each delivery is sent once', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => world.destination({ url: receiver.url })));
  world.start();
  world.start();
  for (let i = 0; i < 60; i++) await world.add(ids[i % ids.length] as string);
  await until(async () => {
    for (const id of ids) expect(await world.count(id, 'delivered')).toBe(10);
  });
  expect(new Set(receiver.ids()).size).toBe(60);
  expect(receiver.received).toHaveLength(60);
});

test('the lease of an instance that died is taken when it ends, and not before', async () => {
  const id = await world.destination({ url: receiver.url });
  const delivery = await world.addUnnoticed(id);
  await giveTo(id, randomUUID(), 15 * secondMs);
  const other = await world.destination({ url: receiver.url });
  world.start();
  await world.reaches(await world.add(other), { state: 'delivered' });
  expect(await world.delivery(delivery)).toMatchObject({ state: 'pending', attempts: 0 });
  world.clock.shift(16 * secondMs);
  await world.reaches(delivery, { state: 'delivered' });
});

test('an instance that lost its lease starts nothing more, and what was delivered counts', async () => {
  const id = await world.destination({ url: receiver.url });
  const sender = new HeldSender();
  const first = await world.add(id);
  const kept: number[] = [];
  const watch = (database: DeliverDatabase): Partial<DeliverDatabase> => ({
    async renew(...lease) {
      const ids = await database.renew(...lease);
      kept.push(ids.length);
      return ids;
    },
  });
  world.start({ sender, watch });
  await until(() => expect(sender.waiting).toHaveLength(1));
  const other = randomUUID();
  await giveTo(id, other, 60 * secondMs);
  // The other instance has tried it, too, without success.
  await world.pool.query('update deliveries set attempts = 3 where id = $1', [first]);
  const second = await world.addUnnoticed(id);
  await until(() => expect(kept.at(-1)).toBe(0));
  sender.respond(200);
  await world.reaches(first, { state: 'delivered', attempts: 4 });
  await world.stop();
  expect(sender.waiting).toEqual([]);
  expect(await world.delivery(second)).toMatchObject({ state: 'pending', attempts: 0 });
  expect(await lease(id)).toMatchObject({ instance_id: other });
});

test('a failed try that another instance has overtaken is not counted', async () => {
  const id = await world.destination({ url: receiver.url });
  const sender = new HeldSender();
  const delivery = await world.add(id);
  world.start({ sender });
  await until(() => expect(sender.waiting).toHaveLength(1));
  await world.pool.query(`update deliveries set state = 'delivered', attempts = 1 where id = $1`, [delivery]);
  sender.respond(500);
  await world.stop();
  expect(await world.delivery(delivery)).toMatchObject({
    state: 'delivered',
    attempts: 1,
    last_status: null,
  });
  expect(await world.attempts(delivery)).toEqual([]);
});

// Of a dead one, too: the instance that has the lease by now may have given up in the meantime.
test.each(['pending', 'dead', 'skipped'])(
  'a %s delivery whose lead is erased during its request is cancelled, and nothing of the response is kept',
  async (state) => {
    const id = await world.destination({ url: receiver.url });
    const sender = new HeldSender();
    const submissionId = await world.lead();
    const delivery = await world.add(id, { submissionId });
    world.start({ sender });
    await until(() => expect(sender.waiting).toHaveLength(1));
    await world.pool.query('update deliveries set state = $2 where id = $1', [delivery, state]);
    await inTransaction(world.pool, (client) => cancelDeliveries(client, world.workspaceId, [submissionId]));
    sender.respond(200);
    await world.stop();
    expect(await world.delivery(delivery)).toMatchObject({ state: 'cancelled', attempts: 0 });
    expect(await world.attempts(delivery)).toEqual([]);
  },
);

test('what is added while a request hangs is noticed', async () => {
  const id = await world.destination({ url: receiver.url });
  receiver.behaviour = ({ body }, response) => {
    if (!body.includes('slow')) response.writeHead(200).end();
  };
  const slow = await world.add(id, { submissionId: await world.lead({ fields: { name: 'slow' } }) });
  world.start();
  await until(() => expect(receiver.open).toBe(1));
  await world.reaches(await world.add(id), { state: 'delivered' });
  expect(await world.delivery(slow)).toMatchObject({ state: 'pending' });
});

test('an instance that stops waits for its requests, writes their outcomes and releases its leases', async () => {
  const id = await world.destination({ url: receiver.url });
  const sender = new HeldSender();
  const first = await world.add(id);
  world.start({ sender });
  await until(() => expect(sender.waiting).toHaveLength(1));
  const stopped = world.stop();
  const second = await world.add(id);
  sender.respond(200);
  await stopped;
  expect(await world.delivery(first)).toMatchObject({ state: 'delivered' });
  expect(await world.delivery(second)).toMatchObject({ state: 'pending', attempts: 0 });
  const released = await lease(id);
  expect(released.instance_id).toBeNull();
  expect(released.wake_at.getTime()).toBeLessThanOrEqual(world.clock.now());
  world.start();
  await world.reaches(second, { state: 'delivered' });
});

test('outcomes that cannot be written wait for the database, and nothing is sent twice', async () => {
  const outage = await openDoor(world.databaseUrl);
  doors.push(outage);
  const id = await world.destination({ url: receiver.url });
  const sender = new HeldSender();
  const deliveries = [await world.add(id), await world.add(id), await world.add(id)];
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  world.start({ sender, log }, outage.databaseUrl);
  await until(() => expect(sender.waiting).toHaveLength(3));
  await outage.begin();
  sender.respond(200);
  await until(() => expect(lines.join()).toContain('delivery outcomes not written'));
  await outage.end();
  for (const delivery of deliveries) await world.reaches(delivery, { state: 'delivered', attempts: 1 });
  const more = await world.add(id);
  await until(() => expect(sender.waiting).toHaveLength(1));
  sender.respond(200);
  await world.reaches(more, { state: 'delivered', attempts: 1 });
});

test('after an outage longer than a lease, instances keep their destinations, and nothing is sent twice', async () => {
  const id = await world.destination({ url: receiver.url });
  const [sender, otherSender] = [new HeldSender(), new HeldSender()];
  const [written, hanging] = [await world.add(id), await world.add(id)];
  const away = new Set<string>();
  const back: string[] = [];
  const watch =
    (name: string) =>
    (database: DeliverDatabase): Partial<DeliverDatabase> => {
      const refuse = () => {
        if (away.has(name)) throw new NoPrimaryError('away', false);
      };
      return {
        async claim(claim) {
          refuse();
          return database.claim(claim);
        },
        async renew(...lease) {
          refuse();
          back.push(name);
          return database.renew(...lease);
        },
        async writeOutcomes(...outcomes) {
          refuse();
          return database.writeOutcomes(...outcomes);
        },
      };
    };
  world.start({ sender, watch: watch('holder') });
  await until(() => expect(sender.waiting).toHaveLength(2));
  const holder = (await lease(id)).instance_id;
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  away.add('holder').add('other');
  world.start({ sender: otherSender, log, watch: watch('other') });
  sender.waiting.shift()?.(200);
  await until(() => expect(lines.join()).toContain('destinations not claimed'));
  world.clock.shift(20 * secondMs);
  away.delete('other');
  await until(() => expect(back).toContain('other'));
  away.delete('holder');
  await until(async () => expect((await lease(id)).until.getTime()).toBeGreaterThan(world.clock.now()));
  expect((await lease(id)).instance_id).toBe(holder);
  await until(async () => expect(await world.count(id, 'delivered')).toBe(1));
  sender.respond(200);
  for (const delivery of [written, hanging])
    await world.reaches(delivery, { state: 'delivered', attempts: 1 });
  expect(otherSender.waiting).toEqual([]);
});
