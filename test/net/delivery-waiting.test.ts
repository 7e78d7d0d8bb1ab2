import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeliveryHttp } from '../../src/net/delivery/delivery-http.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { type Behaviour, deliveringTo, Receiver, respond, someRequest } from './receiver.ts';

let receiver: Receiver;
let clock: SimulatedClock;
let http: DeliveryHttp;

beforeEach(async () => {
  receiver = await new Receiver().start();
  clock = new SimulatedClock(0);
  http = deliveringTo(receiver, { clock });
});
afterEach(async () => {
  http.stop();
  await receiver.stop();
});

const forever: [string, Behaviour][] = [
  ['sends nothing', () => {}],
  ['never ends its headers', respond('HTTP/1.1 200 OK\r\nA: a\r\n')],
];
test.each(forever)('a receiver that %s is left after 15 seconds', async (_, behaviour) => {
  const got = arrival(behaviour);
  const result = http.post(someRequest());
  await got;
  await clock.advance(15_000);
  expect(await result).toEqual({
    failure: 'timeout',
    text: 'The host did not respond within 15 seconds.',
    ms: 15_000,
  });
});

test('the status of a receiver that never ends its body counts after 15 seconds', async () => {
  const reading = arrival(respond('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab'));
  const result = http.post(someRequest());
  await reading;
  await expect.poll(() => [...receiver.sockets].every(({ bytesWritten }) => bytesWritten > 0)).toBe(true);
  await clock.advance(14_999);
  expect(receiver.sockets.size).toBe(1);
  await clock.advance(1);
  expect(await result).toMatchObject({ status: 200 });
});

test('a host that accepts no connection is left after 15 seconds', async () => {
  receiver.dial = () => Object.assign(new Socket(), { connecting: true });
  const result = http.post(someRequest());
  await clock.advance(15_000);
  expect(await result).toMatchObject({
    failure: 'timeout',
    text: expect.stringMatching(/did not accept a connection/),
  });
});

test('name servers are waited for during five seconds', async () => {
  receiver.names.addresses = () => new Promise(() => {});
  const result = http.post(someRequest());
  await clock.advance(5_000);
  expect(await result).toMatchObject({ failure: 'dns', ms: 5_000 });
});

test('a delivery ends when its signal is aborted: before it starts, while names are resolved, while it waits', async () => {
  const stopping = new AbortController();
  const interrupted = { failure: 'reset', text: 'The delivery was interrupted.' };
  const got = arrival(() => {});
  const waiting = http.post(someRequest({ signal: stopping.signal }));
  await got;
  receiver.names.addresses = () => new Promise(() => {});
  const url = 'https://other-acme.com/';
  const resolving = http.post(someRequest({ url, signal: stopping.signal }));
  stopping.abort();
  expect(await waiting).toMatchObject(interrupted);
  expect(await resolving).toMatchObject(interrupted);
  expect(await http.post(someRequest({ signal: stopping.signal }))).toMatchObject(interrupted);
  expect(receiver.requests).toHaveLength(1);
});

/** Resolves when a request has arrived and the receiver has done its part. */
function arrival(behaviour: Behaviour): Promise<void> {
  return new Promise((resolve) => {
    receiver.behaviour = (...args) => {
      behaviour(...args);
      resolve();
    };
  });
}
