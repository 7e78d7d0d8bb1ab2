import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { responseHeadOwner } from '../../../src/domain/destination/secrets.ts';
import { AllowList } from '../../../src/net/delivery/allow-list.ts';
import { DeliveryHttp } from '../../../src/net/delivery/delivery-http.ts';
import { DeliveryGuard } from '../../../src/net/delivery/guard.ts';
import { secondMs } from '../../../src/time/clock.ts';
import { ShiftedClock } from '../../support/clocks.ts';
import { somePublicAddress, TestInternet } from '../../support/egress.ts';
import { DeliveryWorld, type DestinationOptions, secretBox, until } from '../delivery-world.ts';
import { Receiver, responds } from '../receiver.ts';

let world: DeliveryWorld;
let receiver: Receiver;
let internet: TestInternet;
const token = 'xoxSecretToken0123456789';
const path = `/services/T0123456/B0123456/${token}`;

beforeAll(async () => {
  world = await DeliveryWorld.create();
  internet = await new TestInternet().start();
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
  await internet.stop();
});

function chat(options: DestinationOptions = {}, config: object = {}): Promise<string> {
  const secret = new URL(path, receiver.url).href;
  return world.destination({
    ...{ kind: 'chat', secret },
    config: { service: 'mattermost', host: '127.0.0.1', linkOnly: false, ...config },
    ...options,
  });
}

/** As if the host were on the public Internet, so that its responses are kept. */
function publicSender() {
  const deps = { ownPorts: () => [], publicUrl: null, databasePorts: [] };
  const guard = new DeliveryGuard({ allow: new AllowList(''), ...deps });
  return new DeliveryHttp({ isOn: true, guard, egress: internet });
}

const publicChat = () => chat({ secret: `https://${somePublicAddress}${path}` });
const texts = () => receiver.received.map(({ body }) => JSON.parse(body).text as string);

async function status(id: string) {
  const { rows } = await world.pool.query('select status, disabled_reason from destinations where id = $1', [
    id,
  ]);
  return rows[0];
}

test('a lead is one message at the secret URL, without a signature', async () => {
  const id = await chat();
  world.start();
  const delivery = await world.add(id, {
    submissionId: await world.lead({ fields: { name: 'Ada', message: '@channel `x`' } }),
  });
  await world.reaches(delivery, { state: 'delivered', attempts: 1, last_status: 200 });
  const [received] = receiver.received;
  expect(received?.path).toBe(path);
  expect(received?.headers['content-type']).toBe('application/json');
  expect(Object.keys(received?.headers ?? {}).filter((name) => name.startsWith('webhook-'))).toEqual([]);
  const { submission_id } = await world.delivery(delivery);
  expect(texts()).toEqual([
    [
      '#### `New lead: Ada`',
      '`name` `Ada`',
      '`message` `` @channel `x` ``',
      '`Form` `Contact`',
      '`Score` `40 (B)`',
      `[Open in Leadgate](https://leads.example/w/${world.workspaceId}/leads/${submission_id})`,
    ].join('\n'),
  ]);
});

test('a message that may only have a link has nothing that the person typed', async () => {
  const id = await chat({}, { linkOnly: true });
  world.start();
  await world.reaches(await world.add(id), { state: 'delivered' });
  expect(receiver.received[0]?.body).not.toContain('ada@example.com');
  expect(texts()[0]?.split('\n')[0]).toBe('#### `New lead`');
});

/** For the pace only: it fills when a test lets time pass. */
class StandingClock extends ShiftedClock {
  readonly #at = super.monotonic();
  passedMs = 0;

  override monotonic(): number {
    return this.#at + this.passedMs;
  }
}

test('a chat gets one message a second', async () => {
  const id = await chat({ perSecond: 1 });
  const other = await world.destination({ url: receiver.url });
  for (let n = 0; n < 3; n++) await world.add(id);
  const clock = new StandingClock();
  clock.shift(world.clock.now() - clock.now());
  world.start({ clock });
  const messages = () => receiver.received.filter((received) => received.path === path);
  for (let n = 1; n <= 3; n++) {
    await until(() => expect(messages()).toHaveLength(n));
    await world.reaches(await world.add(other), { state: 'delivered' });
    expect(messages()).toHaveLength(n);
    clock.passedMs += secondMs;
  }
  await until(async () => expect(await world.count(id, 'delivered')).toBe(3));
});

test.each([404, 410])('a chat that responds with %d is disabled, and what waits stays', async (code) => {
  const id = await chat();
  receiver.behaviour = responds(code);
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, {
    state: 'pending',
    last_status: code,
    last_error: `The chat no longer accepts messages at this URL: ${code}`,
  });
  await until(async () => expect(await status(id)).toEqual({ status: 'disabled', disabled_reason: 'gone' }));
});

test('a chat that does not understand the message is disabled, and what waits stays', async () => {
  internet.handler = (_, response) => response.writeHead(400).end('invalid_payload');
  const id = await publicChat();
  const sender = publicSender();
  world.start({ sender });
  const delivery = await world.add(id);
  await until(async () =>
    expect(await status(id)).toEqual({ status: 'disabled', disabled_reason: 'refused' }),
  );
  await world.reaches(delivery, { state: 'pending', attempts: 1, last_error_class: 'refused' });
  sender.stop();
});

test('where the response is not kept, a 400 is a refusal like any other', async () => {
  const id = await chat();
  receiver.behaviour = (_, response) => response.writeHead(400).end('invalid_payload');
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, {
    state: 'pending',
    attempts: 1,
    last_error: 'The receiver refuses this: 400',
  });
  expect(await status(id)).toEqual({ status: 'active', disabled_reason: null });
});

test('a chat is left alone for as long as it asks', async () => {
  const id = await chat({}, { service: 'discord' });
  receiver.behaviour = responds(429, { 'retry-after': '120' });
  world.start();
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'pending', attempts: 1, last_error_class: 'throttled' });
  const [{ at }] = await world.attempts(delivery);
  const { next_at } = await world.delivery(delivery);
  expect(next_at.getTime() - at.getTime()).toBeGreaterThanOrEqual(120 * secondMs);
});

test('the secret URL is neither logged nor stored in plain text, even if the chat repeats it', async () => {
  internet.handler = (request, response) =>
    response.writeHead(500, { location: request.url ?? '' }).end(`Cannot POST ${request.url}`);
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (text: string) => void lines.push(text) });
  const id = await publicChat();
  const sender = publicSender();
  world.start({ sender, log });
  const delivery = await world.add(id);
  await world.reaches(delivery, { state: 'pending', attempts: 1 });
  internet.handler = (_, response) => response.writeHead(404).end();
  world.clock.shift(10 * secondMs);
  await world.reaches(delivery, { state: 'pending', attempts: 2 });
  await world.stop();
  sender.stop();
  const [first] = await world.attempts(delivery);
  const head = secretBox.openBytes(first.response_head, responseHeadOwner(delivery)).toString();
  expect(head).toContain('Cannot POST …');
  expect(lines.join('')).toContain('destination disabled');
  const { rows } = await world.pool.query(
    `select (select json_agg(d) from destinations d where id = $1) as destination,
       (select json_agg(d) from deliveries d where destination_id = $1) as deliveries,
       (select json_agg(h) from destination_health h where destination_id = $1) as health,
       (select json_agg(a) from delivery_attempts a where delivery_id = $2) as attempts`,
    [id, delivery],
  );
  for (const text of [head, lines.join(''), JSON.stringify(rows)]) expect(text).not.toContain(token);
});
