import { afterEach, beforeEach, expect, test } from 'vitest';
import { AllowList } from '../../src/net/delivery/allow-list.ts';
import { DeliveryHttp } from '../../src/net/delivery/delivery-http.ts';
import { DeliveryGuard } from '../../src/net/delivery/guard.ts';
import { systemEgress } from '../../src/net/egress.ts';
import { deliveringTo, Receiver, respond, someBody, someUrl } from './receiver.ts';

let receiver: Receiver;
let http: DeliveryHttp;

beforeEach(async () => {
  receiver = await new Receiver().start();
  http = deliveringTo(receiver);
});
afterEach(async () => {
  http.stop();
  await receiver.stop();
});

const { signal } = new AbortController();
const get = (url = someUrl, bytesMax = 10) =>
  http.get({ url, headers: { authorization: 'Bearer token' }, bytesMax, signal });

test('a GET has the given headers and no body, and returns the whole response', async () => {
  receiver.behaviour = respond('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789');
  expect(await get()).toEqual({ status: 200, retryAfterMs: null, body: Buffer.from('0123456789') });
  const [request] = receiver.requests;
  expect(request).toMatch(/^GET \/leads\?from=leadgate HTTP\/1\.1\r\nauthorization: Bearer token\r\n/);
  expect(request?.toLowerCase()).not.toContain('content-length');
});

test('a response that is longer than allowed is a failure, however it announces its length', async () => {
  receiver.behaviour = respond('HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n01234567890');
  expect(await get()).toMatchObject({ failure: 'invalid_response', text: 'The response is too long.' });
  receiver.behaviour = respond(
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n01234567890\r\n0\r\n\r\n',
  );
  expect(await get()).toMatchObject({ failure: 'invalid_response' });
});

test('a response that breaks off is a failure, not a short response', async () => {
  receiver.behaviour = (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234');
  expect(await get()).toMatchObject({ failure: 'reset' });
});

test('a redirect is not followed', async () => {
  receiver.behaviour = respond(
    'HTTP/1.1 302 Found\r\nLocation: https://acme-public.com/other\r\nContent-Length: 0\r\n\r\n',
  );
  expect(await get()).toMatchObject({ status: 302 });
  expect(receiver.requests).toHaveLength(1);
});

test.each(['http://127.0.0.1/', 'https://10.0.0.1/', 'https://localhost/', 'http://acme-public.com/'])(
  'the guard of deliveries refuses %s for a GET, too',
  async (url) => {
    expect(await get(url)).toMatchObject({ failure: 'refused_address' });
    expect(receiver.dialled).toEqual([]);
  },
);

test('of a listed target only the status is kept, unless owners cannot choose the URL', async () => {
  const guard = new DeliveryGuard({
    ...{ allow: new AllowList('127.0.0.1'), ownPorts: () => [], publicUrl: null, databasePorts: [] },
  });
  const inside = new DeliveryHttp({ isOn: true, guard, egress: systemEgress });
  const request = { url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body: someBody, signal };
  expect(await inside.post(request)).toMatchObject({ status: 200, head: null });
  expect(await inside.post({ ...request, isFixedUrl: true })).toMatchObject({ head: Buffer.from('\nok') });
  inside.stop();
});
