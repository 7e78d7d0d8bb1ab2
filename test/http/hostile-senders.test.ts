import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyBytesMax } from '../../src/domain/lead/lead.ts';
import { submissionsPerMinuteMax } from '../../src/domain/rate-window.ts';
import { createListener } from '../../src/http/listener.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { ManualClock } from '../support/clocks.ts';
import {
  createSender,
  expectRejected,
  post,
  rejectedBody,
  type Sender,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { useUp } from '../support/used-limits.ts';

/** A few hostile senders of each kind. `npm run hostile` uses thousands, and measures how they affect others. */
// Does not advance, so that a minute lasts as long as a slow machine needs.
const clock = new ManualClock(Date.UTC(2026, 5, 1, 12));
let service: TestService;
let sender: Sender;
let start: string;

beforeAll(async () => {
  service = await startTestService({ clock });
  sender = await createSender(service);
  start = `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sender.token}\r\nContent-Type: application/json\r\n`;
});
afterAll(() => service.stop());

function open(onConnect: (socket: Socket) => void): Socket {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname, () => onConnect(socket));
  return socket.on('error', () => {}).setNoDelay();
}

/** Everything received until the connection is closed. */
function heard(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  return new Promise((resolve) => socket.once('close', () => resolve(received)));
}

test('a stalled request is closed within 15 seconds', () => {
  const { server } = createListener({
    clock: systemClock,
    ingest: { read: () => {}, take: () => {} },
    mint: null,
    rest: () => {},
    onMalformed: () => {},
  });
  expect(server.headersTimeout).toBe(10_000);
  // Checked once a second.
  expect(server.requestTimeout).toBe(14_000);
});

test('a flood of bad signatures does not use up the limit of the form or block its leads', async () => {
  const owner = await createSender(service);
  await useUp(service, owner, 'webhook', { minute: submissionsPerMinuteMax - 20 });
  const flood = Promise.all(
    Array.from({ length: 100 }, () =>
      post(service, owner, 'webhook', someLead, { secret: 'not the secret' }),
    ),
  );
  for (let n = 0; n < 20; n++) expect((await post(service, owner, 'webhook', `{"n":${n}}`)).status).toBe(202);
  for (const answer of await flood) expectRejected(answer);
  // The whole limit was available to valid leads.
  expectRejected(await post(service, owner, 'webhook', '{"n":20}'));
});

test('a workspace far over its limit is rejected, and another one is served', async () => {
  const [greedy, neighbour] = [await createSender(service), await createSender(service)];
  await useUp(service, greedy, 'server', { minute: submissionsPerMinuteMax - 10 });
  const greed = Promise.all(Array.from({ length: 200 }, () => post(service, greedy, 'server')));
  for (let n = 0; n < 20; n++) expect((await post(service, neighbour, 'server')).status).toBe(202);
  const statuses = (await greed).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(10);
  expect(new Set(statuses)).toEqual(new Set([200, 202]));
});

test('bodies one byte too large on many connections are refused, and the next lead is accepted', async () => {
  const body = Buffer.alloc(bodyBytesMax + 1, 'a');
  // Every connection sends all but the last byte before any sends the last.
  const large = Array.from({ length: 20 }, () => {
    const held = Promise.withResolvers<void>();
    const socket = open(() => {
      socket.write(`${start}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`);
      socket.write(body.subarray(0, -1), () => held.resolve());
    });
    return { socket, held: held.promise, answer: heard(socket) };
  });
  await Promise.all(large.map(({ held }) => held));
  for (const { socket } of large) socket.end('a\r\n0\r\n\r\n');
  const answers = await Promise.all(large.map(({ answer }) => answer));
  expect(answers.filter((answer) => !answer.endsWith(rejectedBody))).toEqual([]);
  expect((await post(service, sender, 'server')).status).toBe(202);
});

/** The HTTP server of the service, found by its first connection. */
async function listeningServer(): Promise<Server> {
  const shown = Promise.withResolvers<Server>();
  const { port } = new URL(service.url);
  const show = (message: unknown) => {
    const { socket } = message as { socket: Socket & { server: Server } };
    if (socket.localPort === Number(port)) shown.resolve(socket.server);
  };
  subscribe('net.server.socket', show);
  const socket = open(() => {});
  const server = await shown.promise;
  unsubscribe('net.server.socket', show);
  socket.destroy();
  return server;
}

/** Sends a start and then one byte at a time until the connection closes. Resolves with the response. */
function drip(beginning: string, byte: string): Promise<string> {
  const socket = open(() => {});
  // Written immediately, not on 'connect': nothing may come before it.
  socket.write(beginning);
  const timer = setInterval(() => socket.writable && socket.write(byte), 20);
  return heard(socket).finally(() => clearInterval(timer));
}

test('slow heads and slow bodies are closed without a response, while others are served', async () => {
  const slow = Array.from({ length: 9 }, (_, number) => {
    if (number % 3 === 0) return drip(`${start}X-Slow: `, 'a');
    if (number % 3 === 1) return drip(`${start}Content-Length: 5000\r\n\r\n{"name":"`, 'a');
    return drip(`${start}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n');
  });
  for (let n = 0; n < 20; n++) expect((await post(service, sender, 'server')).status).toBe(202);
  // Shorter than the limits above only while no other request is in progress: a busy machine slows down everyone.
  const server = await listeningServer();
  const { headersTimeout, requestTimeout } = server;
  Object.assign(server, { headersTimeout: 200, requestTimeout: 300 });
  expect(new Set(await Promise.all(slow))).toEqual(new Set(['']));
  Object.assign(server, { headersTimeout, requestTimeout });
  expect((await post(service, sender, 'server')).status).toBe(202);
});
