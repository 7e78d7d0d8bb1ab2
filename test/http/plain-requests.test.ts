import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createListener } from '../../src/http/listener.ts';
import { NodeReply, type Reply } from '../../src/http/plain/reply.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { PacketConnection } from '../support/http/packets.ts';
import { compareReaders } from '../support/http/plain/compare.ts';

const request = Buffer.from(
  'POST /api/v1/ingest HTTP/1.1\r\nAuthorization: Bearer x\r\nContent-Length: 7\r\n\r\n{"a":1}',
);
const submissionId = '0'.repeat(36);

/** A listener whose leads wait until the test answers them, and a connection to it. */
function connected() {
  const plain: Reply[] = [];
  const byNode: string[] = [];
  const listener = createListener({
    clock: systemClock,
    mint: null,
    ingest: {
      read: (message) => void byNode.push(message.url ?? ''),
      take: (_, reply) => void plain.push(reply),
    },
    rest: (message) => void byNode.push(message.url ?? ''),
    onMalformed: () => {},
  });
  const connection = new PacketConnection();
  listener.server.emit('connection', connection);
  return { connection, plain, byNode, connections: listener.plain };
}

async function sent(connection: PacketConnection, ...packets: Buffer[]): Promise<void> {
  for (const packet of packets) connection.send(packet);
  await new Promise((resolve) => setImmediate(resolve));
}

test('our reader and Node take the same leads from any conversation, and answer the same bytes', async () => {
  const { differences, plain } = await compareReaders(1, 10_000);
  expect(differences).toEqual([]);
  expect(plain).toBeGreaterThan(3_000);
});

test('a connection without a request is closed after 10 s, and after a response after 66 s', async () => {
  const { connection, plain } = connected();
  expect(connection.timeout).toBe(10_000);
  await sent(connection, request);
  plain[0]?.accepted('id', submissionId);
  expect(connection.timeout).toBe(66_000);
  connection.emit('timeout');
  expect(connection.destroyed).toBe(true);
});

test('no time limit closes a connection while its lead is being stored', async () => {
  const { connection, plain } = connected();
  await sent(connection, request);
  connection.emit('timeout');
  expect(connection.destroyed).toBe(false);
  plain[0]?.accepted('id', submissionId);
  expect(connection.received).toContain(submissionId);
});

test('a sender has one lead at a time in the pipeline; what follows waits unread', async () => {
  const { connection, plain } = connected();
  await sent(connection, request, request, request);
  expect(plain).toHaveLength(1);
  expect(connection.isPaused()).toBe(true);
  for (const count of [2, 3]) {
    plain.at(-1)?.rejected('id');
    await expect.poll(() => plain.length).toBe(count);
  }
  plain.at(-1)?.rejected('id');
  expect(connection.received.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
});

test('a sender that does not read its responses is left to Node', async () => {
  const { connection, plain, byNode } = connected();
  connection._write = () => {};
  for (let requests = 0; requests < 1_000; requests++) {
    await sent(connection, request);
    plain[requests]?.accepted('id', submissionId);
  }
  expect(connection.writableLength).toBeLessThan(70_000);
  expect(plain.length).toBeLessThan(400);
  expect(byNode).toHaveLength(1);
});

test('a sender that half-closes after its request still gets the response, then the end', async () => {
  const { connection, plain } = connected();
  await sent(connection, request);
  connection.hangUp();
  await expect.poll(() => connection.readableEnded).toBe(true);
  expect(connection.writableEnded).toBe(false);
  plain[0]?.accepted('id', submissionId);
  expect(connection.received).toContain(submissionId);
  expect(connection.writableEnded).toBe(true);
});

test('a sender that leaves gets no response, and nothing breaks', async () => {
  const { connection, plain } = connected();
  await sent(connection, request);
  connection.destroy(new Error('reset'));
  await expect.poll(() => connection.closed).toBe(true);
  plain[0]?.accepted('id', submissionId);
  expect(connection.received).toBe('');
});

test('when the service stops, idle connections close at once and busy ones with their response', async () => {
  const busy = connected();
  await sent(busy.connection, request);
  const idle = connected();
  for (const { connections } of [busy, idle]) {
    connections?.stopServing();
    connections?.closeIdle();
  }
  expect([idle.connection.destroyed, busy.connection.destroyed]).toEqual([true, false]);
  busy.plain[0]?.accepted('id', submissionId);
  expect(busy.connection.received).toMatch(/\r\nConnection: close\r\n/);
  expect(busy.connection.writableEnded).toBe(true);
});

test('over a network, requests of any size arrive whole and in order, whoever reads them', async () => {
  const lengths: number[] = [];
  const take = (length: number, reply: Reply) => {
    lengths.push(length);
    setImmediate(() => reply.accepted('id', submissionId));
  };
  const { server } = createListener({
    clock: systemClock,
    mint: null,
    ingest: {
      read: (message: IncomingMessage, response: ServerResponse) => {
        let length = 0;
        message.on('data', (chunk: Buffer) => (length += chunk.length));
        message.on('end', () => take(length, new NodeReply(message, response)));
      },
      take: ({ body }, reply) => take(body.length, reply),
    },
    rest: () => {},
    onMalformed: () => {},
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const sizes = [10, 20, 100_000, 30, 120_000, 40, 50];
  const bytes = sizes.map(
    (size) =>
      `POST /api/v1/ingest HTTP/1.1\r\nAuthorization: Bearer x\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`,
  );
  // The first ones each wait for their response, the others follow at once.
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('latin1');
  let received = '';
  socket.on('data', (text: string) => (received += text));
  const answers = () => received.split('HTTP/1.1 202 Accepted').length - 1;
  for (const [place, one] of bytes.slice(0, 2).entries()) {
    socket.write(one);
    await expect.poll(answers).toBe(place + 1);
  }
  socket.write(bytes.slice(2).join(''));
  await expect.poll(answers).toBe(sizes.length);
  expect(lengths).toEqual(sizes);
  socket.destroy();
});
