import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { minuteMs, secondMs } from '../../../src/time/clock.ts';
import { DeliveryWorld, until } from '../delivery-world.ts';
import { accepts, Receiver, responds } from '../receiver.ts';

let world: DeliveryWorld;
let receiver: Receiver;

beforeAll(async () => {
  world = await DeliveryWorld.create();
});
beforeEach(async () => {
  receiver = await new Receiver().start();
  // Two seconds after a full minute, so that the next one is far away.
  world.clock.shift(minuteMs - (world.clock.now() % minuteMs) + 2 * secondMs);
});
afterEach(async () => {
  await world.reset();
  await receiver.stop();
});
afterAll(() => world.close());

/** A chat with leads that are due. */
async function chatWith(leads: number): Promise<string> {
  const config = { service: 'mattermost', host: '127.0.0.1', linkOnly: false };
  const id = await world.destination({ kind: 'chat', config, secret: receiver.url });
  for (let n = 0; n < leads; n++) {
    const submissionId = await world.lead({ fields: { name: `Lead ${n}` } });
    await world.addUnnoticed(id, { submissionId });
  }
  await world.wake(id);
  return id;
}

const texts = () => receiver.received.map(({ body }) => JSON.parse(body).text as string);
const titles = () => texts().map((text) => text.split('\n')[0]);

async function lease(id: string) {
  const { rows } = await world.pool.query(
    'select digest_at, instance_id from destination_leases where destination_id = $1',
    [id],
  );
  return rows[0];
}

/** Until twenty leads were sent one by one, and the others wait for the next full minute. */
async function untilCollecting(id: string): Promise<void> {
  await until(async () => expect(await world.count(id, 'delivered')).toBe(20));
  await until(async () => expect((await lease(id)).digest_at).not.toBeNull());
  const { digest_at } = await lease(id);
  expect(digest_at.getTime() % minuteMs).toBe(0);
  expect(digest_at.getTime()).toBeGreaterThan(world.clock.now());
  expect(receiver.received).toHaveLength(20);
}

function toNextMinute(): void {
  world.clock.shift(minuteMs - (world.clock.now() % minuteMs) + 1);
}

test('more than twenty leads a minute are one message at the next full minute, and all are delivered', async () => {
  const id = await chatWith(60);
  world.start();
  await untilCollecting(id);
  toNextMinute();
  await until(async () => expect(await world.count(id, 'delivered')).toBe(60));
  expect(receiver.received).toHaveLength(21);
  const lines = texts().at(-1)?.split('\n') ?? [];
  expect(lines[0]).toBe('#### `40 leads`');
  expect(lines.filter((line) => line.startsWith('`New lead: Lead '))).toHaveLength(25);
  expect(lines.slice(-2)).toEqual([
    'and 15 more',
    `[Open in Leadgate](https://leads.example/w/${world.workspaceId}/leads)`,
  ]);
});

test('a digest that fails is sent again as one message, even when the minute is long over', async () => {
  const id = await chatWith(50);
  world.start();
  await untilCollecting(id);
  receiver.behaviour = responds(500);
  toNextMinute();
  const tried = async (state: string, attempts: number) => {
    const { rows } = await world.pool.query(
      'select count(*)::int as count from deliveries where destination_id = $1 and state = $2 and attempts = $3',
      [id, state, attempts],
    );
    return rows[0].count;
  };
  await until(async () => expect(await tried('pending', 1)).toBe(30));
  await until(async () => expect((await world.health(id)).consecutive_failures).toBe(1));
  receiver.behaviour = accepts;
  world.clock.shift(10 * minuteMs);
  await until(async () => expect(await tried('delivered', 2)).toBe(30));
  expect(titles().slice(20)).toEqual(['#### `30 leads`', '#### `30 leads`']);
});

test('an erased lead is neither in a digest nor in its number', async () => {
  const id = await chatWith(50);
  world.start();
  await untilCollecting(id);
  const { rows } = await world.pool.query(
    `select id, submission_id from deliveries where destination_id = $1 and state = 'pending' order by next_at`,
    [id],
  );
  // One of those that are shown, and one of those that are only counted.
  const erased = [rows[0], rows.at(-1)];
  for (const { submission_id } of erased)
    await world.pool.query('delete from leads where submission_id = $1', [submission_id]);
  toNextMinute();
  await until(async () => expect(await world.count(id, 'delivered')).toBe(48));
  for (const each of erased) await world.reaches(each.id, { state: 'cancelled', attempts: 0 });
  expect(receiver.received).toHaveLength(21);
  expect(titles().at(-1)).toBe('#### `28 leads`');
  expect(receiver.received.at(-1)?.body).not.toContain(erased[0].submission_id);
});

test('when none of the leads that a digest would show is sent, it shows the next ones', async () => {
  const id = await chatWith(46);
  world.start();
  await untilCollecting(id);
  const { rows } = await world.pool.query(
    `select submission_id from deliveries where destination_id = $1 and state = 'pending' order by next_at limit 25`,
    [id],
  );
  const erased = rows.map(({ submission_id }) => submission_id);
  await world.pool.query('delete from leads where submission_id = any ($1)', [erased]);
  toNextMinute();
  await until(async () => expect(await world.count(id, 'cancelled')).toBe(25));
  await until(async () => expect(await world.count(id, 'delivered')).toBe(21));
  expect(titles().slice(20)).toEqual(['#### `New lead: Lead 45`']);
});

test('two instances send each lead once, and one digest', async () => {
  const id = await chatWith(45);
  world.start();
  world.start();
  await untilCollecting(id);
  toNextMinute();
  await until(async () => expect(await world.count(id, 'delivered')).toBe(45));
  await world.stop();
  expect(titles().slice(20)).toEqual(['#### `25 leads`']);
  const names =
    texts()
      .join('\n')
      .match(/New lead: Lead \d+/g) ?? [];
  expect([names.length, new Set(names).size]).toEqual([45, 45]);
});
