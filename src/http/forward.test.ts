import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../time/real-clock.ts';
import { Forwarder, listenForForwarded } from './forward.ts';

let folder: string;
let outer: Server;
let url: string;
let socketPath: string | null;
let forwarder: Forwarder;
let inner: Awaited<ReturnType<typeof listenForForwarded>> | null = null;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadgate-forward-'));
  socketPath = join(folder, 'first.sock');
  forwarder = new Forwarder({ socketPath: () => socketPath, clock: systemClock });
  outer = createServer(forwarder.forward);
  await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(outer.address() as AddressInfo).port}`;
});

afterEach(async () => {
  outer.closeAllConnections();
  await new Promise((resolve) => outer.close(resolve));
  await inner?.stop();
  inner = null;
  rmSync(folder, { recursive: true, force: true });
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  inner = await listenForForwarded(socketPath as string, handle, systemClock);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

test('method, target, headers and body arrive as they were sent, and so does the response', async () => {
  await serve(async (request, response) => {
    const { method, url: target, headers } = request;
    const seen = { method, target, cookie: headers.cookie, body: await bodyOf(request) };
    response.writeHead(418, ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']).end(JSON.stringify(seen));
  });
  const response = await fetch(`${url}/a%20b?c=d`, {
    method: 'PUT',
    headers: { Cookie: 'x=y' },
    body: 'söme',
  });
  expect(response.status).toBe(418);
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(await response.json()).toEqual({ method: 'PUT', target: '/a%20b?c=d', cookie: 'x=y', body: 'söme' });
});

test('the process behind sees the address of the sender, which a sender cannot write', async () => {
  await serve(({ socket, headers }, response) =>
    response.end(`${socket.remoteAddress} ${headers['leadgate-peer']}`),
  );
  const response = await fetch(url, { headers: { 'Leadgate-Peer': '203.0.113.9' } });
  expect(await response.text()).toBe('127.0.0.1 undefined');
});

test('a request waits for a process that is being replaced, and gets 503 when there is none', async () => {
  const path = socketPath;
  socketPath = null;
  const waiting = fetch(url);
  socketPath = path;
  await serve((_request, response) => response.end('served'));
  expect(await (await waiting).text()).toBe('served');
  await inner?.stop();
  inner = null;
  await forwarder.endStreams();
  const refused = await fetch(url);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'unavailable']);
});

test('a process that dies before its response is a 503, and in the middle of it a cut connection', async () => {
  await serve((request, response) => {
    if (request.url === '/before') request.socket.destroy();
    else response.write('half', () => request.socket.destroy());
  });
  expect((await fetch(`${url}/before`)).status).toBe(503);
  await expect(fetch(`${url}/middle`).then((response) => response.text())).rejects.toThrow();
});

test('the process behind learns that the sender has left', async () => {
  const left = new Promise<void>((resolve) => {
    void serve((request, response) => {
      request.socket.once('end', () => {
        resolve();
        response.end();
      });
      response.write('hello');
    });
  });
  const leaving = new AbortController();
  const response = await fetch(url, { signal: leaving.signal });
  expect(response.status).toBe(200);
  leaving.abort();
  await left;
});

test('streams end when the process that forwards them stops', async () => {
  await serve((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: one\n\n');
    request.socket.once('end', () => response.end());
  });
  const response = await fetch(url);
  await forwarder.endStreams();
  expect(await response.text()).toContain('data: one');
});

test('a target that Node reads but does not write is refused', async () => {
  await serve((_request, response) => response.end());
  const socket = connect((outer.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /\u00e9 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'latin1');
  let text = '';
  for await (const chunk of socket) text += chunk;
  expect(text).toMatch(/^HTTP\/1\.1 (?:400|200)/);
});
