import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemEgress } from '../../src/net/egress.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { hostileAnswers } from '../enrich/hostile-urls.ts';
import { Canary, somePublicAddress } from '../support/egress.ts';
import { hostileTargets } from './hostile-targets.ts';
import { deliveringTo, Receiver, respond, someRequest, someUrl } from './receiver.ts';

let receiver: Receiver;
let canary: Canary;

beforeAll(async () => {
  canary = new Canary();
  await canary.listen('127.0.0.1');
});
beforeEach(async () => {
  receiver = await new Receiver().start();
  canary.connections = 0;
  return () => receiver.stop();
});
afterAll(() => canary.stop());

test(`none of ${hostileTargets.length} hostile URLs is saved or sent to`, async () => {
  expect(hostileTargets.length).toBeGreaterThan(700);
  // Even name servers that know every name inside the network are not asked.
  const { names } = receiver;
  names.addresses = names.machineAddresses = async (name: string) => {
    names.asked.push(name);
    return ['127.0.0.1'];
  };
  const http = deliveringTo(receiver);
  const open: string[] = [];
  for (const target of hostileTargets) {
    const url = target.replaceAll('PORT', String(canary.port));
    const sent = await http.post(someRequest({ url }));
    if ((await http.refusal(url)) === null) open.push(`saved: ${url}`);
    if (!('failure' in sent) || sent.failure !== 'refused_address') open.push(`sent: ${url}`);
  }
  expect(open).toEqual([]);
  expect(names.asked).toEqual([]);
  expect(receiver.dialled).toEqual([]);
});

test.each(hostileAnswers.filter((addresses) => addresses.length > 0).map((addresses) => [addresses]))(
  'a public name that resolves to %j is neither saved nor sent to',
  async (addresses) => {
    receiver.names.zones.set('acme-public.com', { addresses });
    const http = deliveringTo(receiver);
    expect(await http.refusal(someUrl)).toBe('address_not_public');
    expect(await http.post(someRequest())).toMatchObject({ failure: 'refused_address' });
    expect(receiver.dialled).toEqual([]);
  },
);

test('a name that does not resolve yet, or cannot be resolved now, can be saved', async () => {
  const http = deliveringTo(receiver);
  receiver.names.failing.add('silent-acme.com');
  expect(await http.refusal('https://unknown-acme.com/')).toBeNull();
  expect(await http.refusal('https://silent-acme.com/')).toBeNull();
  expect(await http.refusal(someUrl)).toBeNull();
});

test('a name that turns private after it was saved is not sent to, though a connection to its old address is open', async () => {
  const clock = new SimulatedClock(0);
  const http = deliveringTo(receiver, { clock });
  expect(await http.refusal(someUrl)).toBeNull();
  expect(await http.post(someRequest())).toMatchObject({ status: 200 });
  receiver.names.zones.set('acme-public.com', { addresses: ['127.0.0.1'] });
  await clock.advance(30_000);
  expect(await http.post(someRequest())).toMatchObject({ failure: 'refused_address' });
  expect(receiver.dialled.map(({ address }) => address)).toEqual([somePublicAddress]);
  http.stop();
});

test('a name is resolved once for many deliveries, and its connection is used again, until the name moves', async () => {
  const clock = new SimulatedClock(0);
  const http = deliveringTo(receiver, { clock });
  for (let i = 0; i < 3; i++) expect(await http.post(someRequest())).toMatchObject({ status: 200 });
  expect(receiver.names.asked).toEqual(['acme-public.com']);
  expect(receiver.dialled).toHaveLength(1);
  const moved = '93.184.215.15';
  receiver.names.zones.set('acme-public.com', { addresses: [moved] });
  await clock.advance(30_000);
  expect(await http.post(someRequest())).toMatchObject({ status: 200 });
  expect(receiver.dialled.map(({ address }) => address)).toEqual([somePublicAddress, moved]);
  http.stop();
});

test('two hosts at one address share no connection', async () => {
  receiver.names.zones.set('other-acme.com', { addresses: [somePublicAddress] });
  const http = deliveringTo(receiver);
  await http.post(someRequest());
  await http.post(someRequest({ url: 'https://other-acme.com/' }));
  expect(receiver.dialled).toHaveLength(2);
  http.stop();
});

test('a connection that the receiver closed while it was idle is replaced once, and the delivery succeeds', async () => {
  const http = deliveringTo(receiver);
  receiver.behaviour = (socket, _, number) => {
    if (number === 2) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  };
  await http.post(someRequest());
  expect(await http.post(someRequest())).toMatchObject({ status: 200 });
  expect(receiver.requests).toHaveLength(3);
  expect(receiver.dialled).toHaveLength(2);
  receiver.behaviour = (socket) => void socket.destroy();
  expect(await http.post(someRequest())).toMatchObject({ failure: 'reset' });
  http.stop();
});

test.each([301, 302, 303, 307, 308])(
  'a redirect with %i to a private address is not followed',
  async (status) => {
    const location = `http://127.0.0.1:${canary.port}/`;
    receiver.behaviour = respond(
      `HTTP/1.1 ${status} Go\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
    );
    const http = deliveringTo(receiver, { allow: '127.0.0.1' });
    expect(await http.post(someRequest())).toMatchObject({ status });
    expect(receiver.dialled).toHaveLength(1);
    expect(canary.connections).toBe(0);
    http.stop();
  },
);

test('the operator opens loopback with DELIVER_ALLOW=127.0.0.1, on every port but ours, and of responses only the status is kept', async () => {
  const http = deliveringTo(systemEgress, { allow: '127.0.0.1', ownPorts: [canary.port] });
  receiver.behaviour = respond(
    'HTTP/1.1 418 Teapot\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nsecret',
  );
  for (const host of ['127.0.0.1', 'localhost', 'app.localhost']) {
    const url = `http://${host}:${receiver.port}/leads`;
    expect(await http.refusal(url)).toBeNull();
    expect(await http.post(someRequest({ url }))).toMatchObject({ status: 418, head: null });
    const own = `http://${host}:${canary.port}/leads`;
    expect(await http.refusal(own)).toBe('own_port');
    expect(await http.post(someRequest({ url: own }))).toMatchObject({ failure: 'refused_address' });
  }
  expect(canary.connections).toBe(0);
  http.stop();
});

test('a host that the operator named is resolved as this machine does, and opened whatever it resolves to', async () => {
  receiver.names.zones.set('n8n.internal', { machineAddresses: ['10.9.9.9'] });
  const http = deliveringTo(receiver, { allow: 'n8n.internal:5678' });
  const url = 'http://n8n.internal:5678/webhook';
  expect(await http.refusal(url)).toBeNull();
  expect(await http.post(someRequest({ url }))).toMatchObject({ status: 200, head: null });
  expect(receiver.dialled).toEqual([
    expect.objectContaining({ address: '10.9.9.9', port: 5678, serverName: null }),
  ]);
  expect(receiver.requests[0]).toContain('\r\nhost: n8n.internal:5678\r\n');
  http.stop();
});

test('a public name that leads to a listed address is sent to', async () => {
  receiver.names.zones.set('acme-public.com', { addresses: ['10.0.5.1'] });
  const http = deliveringTo(receiver, { allow: '10.0.5.0/24' });
  expect(await http.refusal(someUrl)).toBeNull();
  expect(await http.post(someRequest())).toMatchObject({ status: 200, head: null });
  http.stop();
});
