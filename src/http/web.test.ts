import { createServer, get, type IncomingMessage, request as open, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { RealClock } from '../time/real-clock.ts';
import { serveWeb, type WebHandler } from './web.ts';

const failures: unknown[][] = [];
const limits = {
  bodyBytesMax: 10,
  stallMsMax: 60_000,
  clock: new RealClock(),
  onFailure: (...failure: unknown[]) => failures.push(failure),
};
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function serving(handle: WebHandler, stallMsMax = limits.stallMsMax): Promise<number> {
  const listener = serveWeb(handle, { ...limits, stallMsMax });
  const server = createServer({ requireHostHeader: false }, listener).listen(0);
  servers.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

function raw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(request);
  return text(socket);
}

test('of a body that is too large, a handler sees one byte more than the limit', async () => {
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

test.each([
  ['an error', new Error('broken')],
  ['no error at all', 'broken'],
])('a handler that throws %s gets a problem response whose ID is in the log', async (_, thrown) => {
  failures.length = 0;
  const port = await serving(() => Promise.reject(thrown));
  const response = await fetch(`http://127.0.0.1:${port}`);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ code: 'internal', status: 500 });
  expect(failures).toEqual([[thrown, response.headers.get('x-request-id')]]);
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

/** More than all buffers between a server and a reader that reads nothing can take. */
const chunksMax = 500;

function largeSource() {
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
  const source = { chunks: 0, cancelled, body: new ReadableStream({ pull, cancel: () => cancel() }) };
  function pull(controller: ReadableStreamDefaultController) {
    if (++source.chunks > chunksMax) controller.close();
    else controller.enqueue(Buffer.alloc(100_000));
  }
  return source;
}

const unread = (port: number) =>
  new Promise<IncomingMessage>((resolve) =>
    get({ port }, (response) => resolve(response.on('error', () => {}))),
  );

test('the source is read no faster than the reader, who is disconnected for reading nothing', async () => {
  const source = largeSource();
  const port = await serving(() => new Response(source.body), 100);
  await unread(port);
  await source.cancelled;
  expect(source.chunks).toBeLessThan(chunksMax);
});

test('the source is cancelled when the reader leaves, or asks for the head only', async () => {
  const sources = [largeSource(), largeSource()] as const;
  const waiting = [...sources];
  const port = await serving(() => new Response(waiting.shift()?.body));
  (await unread(port)).destroy();
  await sources[0].cancelled;
  open({ port, method: 'HEAD' }, (head) => head.resume()).end();
  await sources[1].cancelled;
});
