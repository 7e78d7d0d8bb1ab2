import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Pace } from '../../src/deliver/line/pace.ts';
import { Places } from '../../src/deliver/places.ts';
import { DeliveryWorld, until } from './delivery-world.ts';
import { Receiver } from './receiver.ts';

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

test('live deliveries go before replays', async () => {
  const id = await world.destination({ url: receiver.url });
  for (let i = 0; i < 40; i++) await world.addUnnoticed(id, { isReplay: true });
  const live = await world.lead({ fields: { name: 'live' } });
  await world.add(id, { submissionId: live });
  world.start();
  await until(async () => expect(await world.count(id, 'delivered')).toBe(41));
  const place = receiver.received.findIndex(({ body }) => body.includes('live'));
  expect(place).toBeLessThan(4);
});

test('a destination gets no more than four requests at the same time', async () => {
  const id = await world.destination({ url: receiver.url });
  const waiting: (() => void)[] = [];
  receiver.behaviour = (_, response) => waiting.push(() => response.writeHead(200).end());
  for (let i = 0; i < 12; i++) await world.add(id);
  world.start();
  await until(async () => {
    if (receiver.open === 4) for (const respond of waiting.splice(0)) respond();
    expect(await world.count(id, 'delivered')).toBe(12);
  });
  expect(receiver.openMax).toBe(4);
});

test('slow destinations do not keep others from being served', async () => {
  const slow = await new Receiver().start();
  slow.behaviour = () => {};
  for (let i = 0; i < 20; i++) {
    const id = await world.destination({ url: slow.url });
    for (let n = 0; n < 4; n++) await world.add(id);
  }
  const engine = world.start();
  await until(() => expect(engine.inFlight).toBeGreaterThanOrEqual(48));
  const id = await world.destination({ url: receiver.url });
  await world.reaches(await world.add(id), { state: 'delivered' });
  expect(engine.inFlight).toBeLessThanOrEqual(64);
  await slow.stop();
});

test('a bucket of tokens gives as many as its pace in the long run, and a tenth of a second of them at first', () => {
  const pace = new Pace(50, 0);
  let taken = 0;
  for (let now = 0; now < 10_000; now++) {
    for (; pace.waitMs(now) === 0; taken++) pace.take(now);
  }
  expect(taken).toBe(504);
  expect(pace.fullInMs(9_999)).toBeCloseTo(81, 0);
});

test('a pace of less than one a second starts with one, and waits for the next', () => {
  const pace = new Pace(0.1, 0);
  pace.take(0);
  expect(pace.waitMs(0)).toBeCloseTo(10_000, 3);
  expect(pace.waitMs(9_000)).toBeCloseTo(1_000, 3);
  expect(pace.waitMs(10_000)).toBe(0);
});

test('the last places are for lines that have none', async () => {
  const places = new Places(4, { forLines: 2, forWorkspaces: 0 });
  const never = new AbortController().signal;
  expect(await places.take('a', () => 0, never)).toBe(true);
  expect(await places.take('a', () => 1, never)).toBe(true);
  let isThird = false;
  const third = places
    .take('a', () => 2, never)
    .then((isGranted) => {
      isThird = isGranted;
    });
  expect(await places.take('a', () => 0, never)).toBe(true);
  expect(isThird).toBe(false);
  places.free('a');
  places.free('a');
  await third;
  expect(isThird).toBe(true);
  expect(places.taken).toBe(2);
});

test('the very last places are for workspaces that have none', async () => {
  const places = new Places(3, { forLines: 1, forWorkspaces: 1 });
  const never = new AbortController().signal;
  expect(await places.take('a', () => 0, never)).toBe(true);
  expect(await places.take('a', () => 0, never)).toBe(true);
  let isThird = false;
  const third = places
    .take('a', () => 0, never)
    .then((isGranted) => {
      isThird = isGranted;
    });
  expect(await places.take('b', () => 0, never)).toBe(true);
  expect(isThird).toBe(false);
  places.free('b');
  places.free('a');
  await third;
  expect(isThird).toBe(true);
});

test('destinations that always have something due let others have a turn', async () => {
  for (let i = 0; i < 2; i++) {
    const id = await world.destination({ url: receiver.url, perSecond: 1 });
    for (let n = 0; n < 40; n++) await world.add(id);
  }
  world.start({ linesMax: 2 });
  await until(() => expect(receiver.received.length).toBeGreaterThan(1));
  const id = await world.destination({ url: receiver.url });
  await world.reaches(await world.add(id), { state: 'delivered' });
});

test('whoever no longer waits for a place gets none', async () => {
  const places = new Places(1, { forLines: 0, forWorkspaces: 0 });
  const never = new AbortController().signal;
  const ending = new AbortController();
  await places.take('a', () => 0, never);
  const waiting = places.take('a', () => 0, ending.signal);
  ending.abort();
  expect(await waiting).toBe(false);
  places.free('a');
  expect(places.taken).toBe(0);
});
