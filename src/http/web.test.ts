import { createServer, get, type IncomingMessage, request as open, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { RealClock } from '../time/real-clock.ts';
import { serveWeb, type WebHandler } from './web.ts';

const limits = { bodyBytesMax: 10, stallMsMax: 60_000, clock: new RealClock() };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serving(handle: WebHandler): Promise<number> {
  const server = createServer({ requireHostHeader: false }, serveWeb(handle, limits)).listen(0);
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

function raw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(request);
  return text(socket);
}

test('a handler sees one byte of a body that is too large, and no more', async () => {
  const port = await serving(async (request) => new Response(`${(await request.arrayBuffer()).byteLength}`));
  const send = async (body: string) =>
    (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).text();
  expect(await send('x'.repeat(10))).toBe('10');
  expect(await send('x'.repeat(500_000))).toBe('11');
});

test.each([
  ['a Host that is not a host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  ['a target that is not a URL', 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['a method that the web forbids', 'TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
])('%s gets 400', async (_, request) => {
  const port = await serving(() => new Response('served'));
  expect(await raw(port, request)).toMatch(/^HTTP\/1.1 400 [\s\S]*"bad_request"/);
});

test('cookies stay apart, and a request without Host is served', async () => {
  const headers: [string, string][] = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ];
  const port = await serving((request) => new Response(request.url, { headers }));
  const received = await raw(port, 'GET /x HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(received).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n[\s\S]*http:\/\/localhost\/x/i);
});

test('a response whose source fails does not look complete', async () => {
  for (const chunkCount of [0, 1, 2, 20]) {
    async function* broken() {
      for (let n = 0; n < chunkCount; n++) yield Buffer.from('chunk');
      throw new Error('broken');
    }
    const port = await serving(() => new Response(ReadableStream.from(broken())));
    const received = fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
    await expect(received).rejects.toThrow();
  }
});

test('the source is read no faster than the reader, and cancelled when the reader leaves or asks for the head only', async () => {
  let chunks = 0;
  let cancelled = () => {};
  const endless = () =>
    new ReadableStream({
      pull: (controller) => {
        chunks++;
        controller.enqueue(Buffer.alloc(100_000));
      },
      cancel: () => cancelled(),
    });
  const port = await serving(() => new Response(endless()));
  const cancellation = () => new Promise<void>((resolve) => (cancelled = resolve));
  const left = cancellation();
  const response = await new Promise<IncomingMessage>((resolve) => get({ port }, resolve));
  await limits.clock.sleep(200);
  expect(chunks).toBeLessThan(200);
  response.destroy();
  await left;
  const headOnly = cancellation();
  open({ port, method: 'HEAD' }, (head) => head.resume()).end();
  await headOnly;
});
