import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bodyBytesMax } from '../../src/domain/lead.ts';
import { ManualClock } from '../../src/time/manual-clock.ts';
import { eventually } from '../support/diagnostics.ts';
import { type ServiceProcess, starterToken, startProcess, temporaryDataDir } from '../support/process.ts';
import {
  createSender,
  expectRejected,
  post,
  rejectedBody,
  type Sender,
  someLead,
} from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

/** Senders that mean harm. `npm run hostile` measures the same at full size. */
let service: TestService;
let sender: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
});
afterAll(() => service.stop());

function open(url: string, onConnect: (socket: Socket) => void): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => onConnect(socket));
  return socket.on('error', () => {}).setNoDelay();
}

/** Sends a start and then one byte at a time, for as long as it is let. Resolves with what it was told. */
function drip(start: string, byte: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = open(service.url, () => socket.write(start));
    const timer = setInterval(() => socket.writable && socket.write(byte), 400);
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => {
      clearInterval(timer);
      resolve(received);
    });
  });
}

test('slow heads and slow bodies are closed without an answer, while others are served', async () => {
  const head = `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sender.token}\r\nContent-Type: application/json\r\n`;
  const slow = Array.from({ length: 30 }, (_, number) => {
    if (number % 3 === 0) return drip(`${head}X-Slow: `, 'a');
    if (number % 3 === 1) return drip(`${head}Content-Length: 5000\r\n\r\n{"name":"`, 'a');
    return drip(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n');
  });
  let isOver = false;
  const all = Promise.all(slow).finally(() => {
    isOver = true;
  });
  const others: number[] = [];
  while (!isOver) {
    others.push((await post(service, sender, 'server')).status);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(new Set(await all)).toEqual(new Set(['']));
  expect(new Set(others)).toEqual(new Set([202]));
});

test('a flood of bad signatures does not use up the limit of the form, nor keep its leads out', async () => {
  const owner = await createSender(service);
  const bad = async () => {
    for (let i = 0; i < 40; i++)
      expectRejected(await post(service, owner, 'webhook', someLead, { secret: 'not the secret' }));
  };
  const good = async () => {
    const statuses = [];
    for (let i = 0; i < 60; i++) statuses.push((await post(service, owner, 'webhook')).status);
    return statuses;
  };
  // More bad ones than the 1,000 a minute that a workspace may send.
  const flood = Promise.all(Array.from({ length: 30 }, bad));
  expect(new Set(await good())).toEqual(new Set([202]));
  await flood;
});

test('a tenant far over its limit is told no, and its neighbour is served', async () => {
  // On a clock that stands: a slow machine would need more than the minute that the limit is for.
  const service = await startTestService({ clock: new ManualClock(Date.now()) });
  onTestFinished(() => service.stop());
  const [greedy, neighbour] = [await createSender(service), await createSender(service)];
  const greed = Promise.all(
    Array.from({ length: 40 }, async () => {
      const statuses: number[] = [];
      for (let i = 0; i < 50; i++) statuses.push((await post(service, greedy, 'server')).status);
      return statuses;
    }),
  );
  const statuses: number[] = [];
  for (let i = 0; i < 60; i++) statuses.push((await post(service, neighbour, 'server')).status);
  expect(new Set(statuses)).toEqual(new Set([202]));
  const greedyStatuses = (await greed).flat();
  expect(greedyStatuses.filter((status) => status === 202).length).toBe(1_000);
  expect(new Set(greedyStatuses)).toEqual(new Set([200, 202]));
});

/** Sends all but the last bytes of a body that is one byte too large, and the rest when told to. */
function almostTooLarge(url: string, start: string): { held: Promise<void>; finish: () => Promise<string> } {
  const body = Buffer.alloc(bodyBytesMax + 1, 'a');
  let received = '';
  let closed = Promise.resolve();
  const holding = Promise.withResolvers<void>();
  const socket = open(url, () => {
    closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.write(`${start}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`);
    socket.write(body.subarray(0, -1), () => holding.resolve());
  });
  socket.on('data', (chunk) => {
    received += chunk;
  });
  const finish = async () => {
    socket.end('a\r\n0\r\n\r\n');
    await closed;
    return received;
  };
  return { held: holding.promise, finish };
}

test('bodies one byte too large on many connections are refused, and their memory stays within bounds', async () => {
  const dataDir = temporaryDataDir();
  const own: ServiceProcess = await startProcess(dataDir.path);
  try {
    const token = starterToken(dataDir.path);
    const start = `POST /api/v1/ingest HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const before = await residentBytes(own);
    // So few that the first does not wait longer for the last than the service waits for a body.
    const senders = Array.from({ length: 100 }, () => almostTooLarge(own.url, start));
    await Promise.all(senders.map(({ held }) => held));
    expect((await residentBytes(own)) - before).toBeLessThan(100 * 1024 * 1024);
    const answers = await Promise.all(senders.map(({ finish }) => finish()));
    expect(answers.filter((answer) => !answer.endsWith(rejectedBody))).toEqual([]);
    expect((await fetch(`${own.url}/livez`)).status).toBe(200);
  } finally {
    await own.kill('SIGTERM');
    dataDir.remove();
  }
});

async function residentBytes({ url }: ServiceProcess): Promise<number> {
  const text = await eventually(
    async () =>
      (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${service.operatorKey}` } })).text(),
    (metrics) => metrics.includes('process_resident_memory_bytes '),
  );
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1]);
}
