import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DeliveryHttp, PostResult } from '../../src/net/delivery/delivery-http.ts';
import { systemEgress } from '../../src/net/egress.ts';
import { dayMs } from '../../src/time/clock.ts';
import { SimulatedClock } from '../../src/time/simulated-clock.ts';
import { somePublicAddress } from '../support/egress.ts';
import { expiredCertificate, validCertificate } from './certificates.ts';
import {
  type Behaviour,
  type DeliveringOptions,
  deliveringTo,
  Receiver,
  respond,
  someBody,
  someRequest,
} from './receiver.ts';

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

/** Another sender to the same receiver. */
function sender(options: DeliveringOptions): DeliveryHttp {
  http.stop();
  http = deliveringTo(receiver, options);
  return http;
}

const kindOf = (result: PostResult) => ('failure' in result ? result.failure : result.status);
const textOf = (result: PostResult) => ('failure' in result ? result.text : String(result.head));

test('a delivery is one POST with the given headers and bytes', async () => {
  const result = await http.post(someRequest());
  expect(result).toEqual({
    status: 200,
    retryAfterMs: null,
    head: Buffer.from('\nok'),
    ms: expect.any(Number),
  });
  expect(receiver.requests).toEqual([
    [
      'POST /leads?from=leadgate HTTP/1.1',
      'content-type: application/json',
      'webhook-id: msg_1',
      'host: acme-public.com',
      'user-agent: Leadgate/1 (delivers leads)',
      `content-length: ${someBody.length}`,
      'Connection: keep-alive',
      '',
      String(someBody),
    ].join('\r\n'),
  ]);
  expect(receiver.dialled).toEqual([
    expect.objectContaining({ address: somePublicAddress, port: 443, serverName: 'acme-public.com' }),
  ]);
});

const response = (line: string, ...rest: string[]) => respond([line, ...rest].join('\r\n'));

test.each<[string, Behaviour, number | string, RegExp]>([
  ['closes the connection', (socket) => socket.end(), 'reset', /closed the connection/],
  ['resets the connection', (socket) => socket.resetAndDestroy(), 'reset', /closed the connection/],
  [
    'closes it within the headers',
    (socket) => socket.end('HTTP/1.1 200 OK\r\nA'),
    'reset',
    /closed the conn/,
  ],
  ['sends garbage', (socket) => socket.end('\0\x01\xff garbage'), 'invalid_response', /not valid HTTP/],
  ['speaks HTTP/0.9', (socket) => socket.end('<html>ok</html>'), 'invalid_response', /not valid HTTP/],
  ['speaks SMTP', respond('220 mail ESMTP\r\n'), 'invalid_response', /not valid HTTP/],
  [
    'sends two lengths',
    response('HTTP/1.1 200 OK', 'Content-Length: 1', 'Content-Length: 2', '', ''),
    'invalid_response',
    /not valid HTTP/,
  ],
  [
    'sends 20 KB of headers',
    response('HTTP/1.1 200 OK', `A: ${'a'.repeat(20_000)}`, '', ''),
    'invalid_response',
    /too large/,
  ],
  [
    'changes the protocol',
    response('HTTP/1.1 101 Switching', 'Connection: upgrade', 'Upgrade: x', '', ''),
    'invalid_response',
    /not valid HTTP/,
  ],
  [
    'sends the status 999',
    response('HTTP/1.1 999 No', 'Content-Length: 0', '', ''),
    'invalid_response',
    /not valid HTTP/,
  ],
  ['sends 204', response('HTTP/1.1 204 No Content', '', ''), 204, /^\n$/],
  [
    'sends 100 and 103 first',
    response(
      'HTTP/1.1 100 Continue',
      '',
      'HTTP/1.1 103 Hints',
      '',
      'HTTP/1.1 201 Created',
      'Content-Length: 0',
      '',
      '',
    ),
    201,
    /^\n$/,
  ],
  [
    'sends a page',
    response('HTTP/1.1 200 OK', 'Content-Type: text/html', 'Content-Length: 6', '', '<html>'),
    200,
    /^content-type: text\/html\n\n<html>$/,
  ],
  [
    'sends compressed bytes',
    response('HTTP/1.1 400 Bad', 'Content-Encoding: gzip', 'Content-Length: 3', '', '\x1f\x8b\x08'),
    400,
    /^\n$/,
  ],
  [
    'sends half of its body',
    (socket) => socket.end('HTTP/1.1 500 No\r\nContent-Length: 9\r\n\r\nhalf'),
    500,
    /^\nhalf$/,
  ],
  [
    'sends a body that is not chunked as it says',
    response('HTTP/1.1 202 OK', 'Transfer-Encoding: chunked', '', 'zzz\r\n'),
    202,
    /^\n$/,
  ],
  [
    'closes the connection after its response',
    (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nbye'),
    200,
    /^\nbye$/,
  ],
  [
    'redirects',
    response('HTTP/1.1 301 Moved', 'Location: http://127.0.0.1/', 'Content-Length: 0', '', ''),
    301,
    /^location: http:\/\/127.0.0.1\/\n\n$/,
  ],
])('a receiver that %s', async (_, behaviour, kind, text) => {
  receiver.behaviour = behaviour;
  const result = await http.post(someRequest());
  expect(kindOf(result)).toBe(kind);
  expect(textOf(result)).toMatch(text);
  // Neither a redirect nor a failure of a new connection leads to a second request.
  expect(receiver.dialled).toHaveLength(1);
});

test('a response without end is cut, and two kilobytes of it are kept', async () => {
  let closed: () => void;
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  receiver.behaviour = (socket) => {
    const chunk = 'x'.repeat(16_384);
    const pour = () => {
      while (socket.writable && socket.write(chunk));
    };
    socket.on('close', () => closed()).on('drain', pour);
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${10 * 1024 ** 3}\r\n\r\n`);
    pour();
  };
  // On this clock, no time limit ends it.
  const result = await sender({ clock: new SimulatedClock(0) }).post(someRequest());
  await isClosed;
  expect(kindOf(result)).toBe(200);
  expect(textOf(result)).toBe(`\n${'x'.repeat(2_047)}`);
});

test.each([
  ['120', 120_000],
  ['0', null],
  ['Sun, 15 Nov 2026 08:01:00 GMT', 60_000],
  ['Sun, 15 Nov 2026 07:00:00 GMT', null],
  ['315360000', dayMs],
  ['soon', null],
])('a receiver that asks for a pause of %j gets one of %j ms', async (header, ms) => {
  receiver.behaviour = response('HTTP/1.1 429 Slow', `Retry-After: ${header}`, 'Content-Length: 0', '', '');
  const result = await sender({ clock: new SimulatedClock(Date.parse('2026-11-15T08:00:00Z')) }).post(
    someRequest(),
  );
  expect(result).toMatchObject({ status: 429, retryAfterMs: ms });
});

test('an unknown host, silent name servers and a closed port are told apart', async () => {
  const post = (url: string) => http.post(someRequest({ url }));
  receiver.names.failing.add('silent-acme.com');
  expect(await post('https://unknown-acme.com/')).toMatchObject({
    failure: 'dns',
    text: expect.stringMatching(/no IP address/),
  });
  expect(await post('https://silent-acme.com/')).toMatchObject({
    failure: 'dns',
    text: expect.stringMatching(/did not respond/),
  });
  await receiver.stop();
  expect(await http.post(someRequest())).toMatchObject({
    failure: 'connect',
    text: expect.stringMatching(/refused the connection/),
  });
  // A host that has moved is found at the next try.
  expect(receiver.names.asked.filter((name) => name === 'acme-public.com')).toHaveLength(1);
  await http.post(someRequest());
  expect(receiver.names.asked.filter((name) => name === 'acme-public.com')).toHaveLength(2);
  receiver = await new Receiver().start();
});

test.each([
  ['has expired', expiredCertificate, expiredCertificate, /expired/],
  ['is signed by an unknown authority', validCertificate, expiredCertificate, /self-signed/],
])('a host whose certificate %s gets nothing', async (_, shown, trusted, text) => {
  receiver.trusted = trusted;
  await receiver.startTls(shown);
  expect(await http.post(someRequest())).toMatchObject({ failure: 'tls', text: expect.stringMatching(text) });
  expect(receiver.requests).toEqual([]);
});

test('a host with the certificate of another gets nothing, and the right host is delivered to', async () => {
  await receiver.startTls(validCertificate);
  receiver.names.zones.set('other-acme.com', { addresses: [somePublicAddress] });
  const wrong = await http.post(someRequest({ url: 'https://other-acme.com/' }));
  expect(wrong).toMatchObject({ failure: 'tls', text: expect.stringMatching(/another host name/) });
  expect(receiver.requests).toEqual([]);
  expect(await http.post(someRequest())).toMatchObject({ status: 200 });
});

test('a port that does not speak TLS gets nothing', async () => {
  const plain = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 200 OK\r\n\r\n'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const { port } = plain.address() as { port: number };
  const listed = deliveringTo(systemEgress, { allow: '127.0.0.1' });
  const result = await listed.post(someRequest({ url: `https://127.0.0.1:${port}/` }));
  plain.close();
  expect(result).toMatchObject({ failure: 'tls', text: 'No secure connection to the host is possible.' });
});

test('a header that cannot be sent fails the delivery', async () => {
  const headers = { 'x-name': 'a\r\nhost: 127.0.0.1' };
  expect(await http.post(someRequest({ headers }))).toMatchObject({
    failure: 'connect',
    text: expect.stringMatching(/header/),
  });
  expect(receiver.dialled).toEqual([]);
});

test('nothing is sent or resolved while deliveries are turned off', async () => {
  const off = sender({ isOn: false, allow: '127.0.0.1' });
  expect(await off.post(someRequest())).toMatchObject({
    failure: 'network_off',
    text: expect.stringMatching(/DELIVER_NETWORK/),
  });
  expect(receiver.names.asked).toEqual([]);
  expect(receiver.dialled).toEqual([]);
});
