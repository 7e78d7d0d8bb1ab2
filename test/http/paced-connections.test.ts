import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { bodyBytesMax } from '../../src/domain/lead/lead.ts';
import { createListener } from '../../src/http/listener.ts';
import { NodeReply, type Reply } from '../../src/http/plain/reply.ts';
import { receive } from '../../src/ingest/receive.ts';
import { RealClock } from '../../src/time/real-clock.ts';
import { PacketConnection } from '../support/http/packets.ts';

const submissionId = '0'.repeat(36);
/** A tab in a value: only Node's parser reads such a request. */
const lead = (number: number, body = `{"number":${number}}`) =>
  `POST /api/v1/ingest HTTP/1.1\r\nX-Padding: ${'x'.repeat(200)}\t\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunkedHead = (path = '/api/v1/ingest') =>
  `POST ${path} HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n`;

/** The time that a reader of many requests or chunks has is always over. */
class SlowClock extends RealClock {
  #ms = 0;

  override monotonic(): number {
    this.#ms += 2;
    return this.#ms;
  }
}

/** A listener whose leads wait, once their body has arrived, until the test answers them. */
function listening() {
  const leads: { readonly url: string; readonly body: string; readonly reply: Reply }[] = [];
  const malformed: string[] = [];
  let pieces = 0;
  const { server } = createListener({
    clock: new SlowClock(),
    mint: null,
    ingest: {
      read: (request, response) => {
        const body: Buffer[] = [];
        request.on('data', (chunk) => {
          pieces++;
          body.push(chunk);
        });
        request.on('end', () => {
          const reply = new NodeReply(request, response);
          leads.push({ url: request.url ?? '', body: Buffer.concat(body).toString(), reply });
        });
      },
      take: ({ url, body }, reply) => void leads.push({ url, body: body.toString(), reply }),
    },
    rest: (request, response) => void request.on('end', () => response.writeHead(404).end()).resume(),
    onMalformed: (surface) => void malformed.push(surface),
  });
  const connect = () => {
    const connection = new PacketConnection();
    server.emit('connection', connection);
    return connection;
  };
  return { connect, leads, malformed, pieces: () => pieces };
}

const statusesOf = ({ received }: PacketConnection) => received.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

test('of many pipelined requests, a few are read at a time, and all are answered in order', async () => {
  const { connect, leads } = listening();
  const connection = connect();
  connection.send(Buffer.from(Array.from({ length: 200 }, (_, number) => lead(number)).join('')));
  let answered = 0;
  while (answered < 200) {
    await expect.poll(() => leads.length).toBeGreaterThan(answered);
    for (let turns = 0; turns < 3; turns++) await nextTurn();
    expect(leads.length - answered).toBeLessThanOrEqual(4);
    for (; answered < leads.length; answered++) {
      expect(leads[answered]?.body).toBe(`{"number":${answered}}`);
      leads[answered]?.reply.accepted(`id-${answered}`, submissionId);
    }
  }
  const ids = () => connection.received.match(/(?<=X-Request-Id: id-)\d+/g)?.map(Number);
  await expect.poll(() => ids()?.length).toBe(200);
  expect(ids()).toEqual(Array.from({ length: 200 }, (_, number) => number));
  expect(connection.destroyed || connection.writableEnded).toBe(false);
});

test('what follows unanswered requests is not read from the network', async () => {
  const { connect } = listening();
  const connection = connect();
  for (let packet = 0; packet < 100; packet++) {
    connection.send(Buffer.from(lead(packet).repeat(50)));
    await nextTurn();
  }
  expect(connection.isPaused()).toBe(true);
});

test('requests that are rejected as soon as they are read leave a turn to others after a few of them', async () => {
  const { connect, leads } = listening();
  const flood = connect();
  flood.send(Buffer.from('GET /api/ingest/x HTTP/1.1\r\n\r\n'.repeat(2_000)));
  const honest = connect();
  honest.send(Buffer.from(lead(1)));
  while (leads.length === 0) await nextTurn();
  expect(statusesOf(flood).length).toBeLessThan(200);
  await expect.poll(() => statusesOf(flood).length).toBe(2_000);
  expect(new Set(statusesOf(flood))).toEqual(new Set(['410']));
});

test('a body in chunks of one byte leaves a turn to others, and arrives whole', async () => {
  const { connect, leads, pieces } = listening();
  const many = connect();
  many.send(Buffer.from(`${chunkedHead()}${'1\r\na\r\n'.repeat(10_000)}0\r\n\r\n`));
  const honest = connect();
  honest.send(Buffer.from(lead(1)));
  while (leads.length === 0) await nextTurn();
  expect(leads[0]?.body).toBe('{"number":1}');
  expect(pieces()).toBeLessThan(1_000);
  await expect.poll(() => leads.length).toBe(2);
  expect(leads[1]?.body).toBe('a'.repeat(10_000));
  leads[1]?.reply.accepted('id', submissionId);
  await expect.poll(() => statusesOf(many)).toEqual(['202']);
});

test('requests and bodies arrive whole, in whatever packets and behind whatever they come', async () => {
  const { connect, leads } = listening();
  const bodies = [3, 500, 1_020, 5_000, bodyBytesMax].map((size) => 'x'.repeat(size));
  const requests = bodies.flatMap((body) => [
    lead(0, body),
    `${chunkedHead()}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  ]);
  const bytes = Buffer.from(requests.join(''));
  for (const size of [100, 1_023, 1_024, 1_025, 40_000, bytes.length]) {
    const connection = connect();
    const first = leads.length;
    const answer = async () => {
      for (let place = first; place < first + requests.length; place++) {
        await expect.poll(() => leads.length, { interval: 1 }).toBeGreaterThan(place);
        leads[place]?.reply.rejected('id');
      }
    };
    for (let at = 0; at < bytes.length; at += size) connection.send(bytes.subarray(at, at + size));
    await answer();
    const lengths = leads.slice(first).map(({ body }) => body.length);
    expect(lengths).toEqual(bodies.flatMap(({ length }) => [length, length]));
    await expect.poll(() => statusesOf(connection).length).toBe(requests.length);
    connection.destroy();
  }
});

const tooMuch: Record<string, string> = {
  'chunks of one byte': '1\r\na\r\n'.repeat(40_000),
  'chunk extensions': `1;${'e'.repeat(10_000)}\r\na\r\n`.repeat(20),
  'zeros in front of a chunk size': '0'.repeat(200_000),
};

test.each(Object.entries(tooMuch))(
  'a body with far more framing than data is rejected and its connection closed: %s',
  async (_, body) => {
    const { connect, leads, malformed } = listening();
    const expected = { '/api/v1/ingest': ['200'], '/api/ingest/x': ['410'], '/elsewhere': ['400'] };
    for (const [path, statuses] of Object.entries(expected)) {
      const connection = connect();
      connection.send(Buffer.from(chunkedHead(path) + body));
      await expect.poll(() => connection.writableEnded).toBe(true);
      expect(statusesOf(connection)).toEqual(statuses);
      // What still comes is read and discarded, so that the sender sees the response.
      connection.send(Buffer.from(body));
      await expect.poll(() => connection.readableLength).toBe(0);
    }
    expect(malformed).toEqual(['server']);
    expect(leads).toEqual([]);
  },
);

test('a body of any size may have as much framing as data', async () => {
  const { connect, leads } = listening();
  const connection = connect();
  connection.send(Buffer.from(`${chunkedHead()}${'5\r\nabcde\r\n'.repeat(bodyBytesMax / 5)}0\r\n\r\n`));
  await expect.poll(() => leads.length).toBe(1);
  expect(leads[0]?.body).toHaveLength(Math.floor(bodyBytesMax / 5) * 5);
});

test('no piece of a body is kept after it has arrived, however many there are', async () => {
  const bodies: (string | null)[] = [];
  const { server } = createListener({
    clock: new RealClock(),
    mint: null,
    ingest: {
      read: (request) => {
        const arrival = {
          method: 'POST',
          surface: 'webhook',
          headers: {},
          identity: { page: null, token: null },
        };
        // biome-ignore lint/suspicious/noExplicitAny: what receive() looks at.
        receive(request, arrival as any, (received) => {
          bodies.push('body' in received ? received.body.toString() : null);
        });
        let previous: Buffer = Buffer.alloc(0);
        request.on('data', (chunk: Buffer) => {
          previous.fill(0);
          previous = chunk;
        });
      },
      take: () => {},
    },
    rest: (request: IncomingMessage) => void request.resume(),
    onMalformed: () => {},
  });
  const connection = new PacketConnection();
  server.emit('connection', connection);
  for (const byte of `${chunkedHead()}${'1\r\na\r\n'.repeat(2_000)}0\r\n\r\n`) {
    connection.send(Buffer.from(byte));
    if (connection.readableLength > 1_000) await nextTurn();
  }
  await expect.poll(() => bodies).toEqual(['a'.repeat(2_000)]);
});

test('a first request that is refused after several turns is answered although more has arrived meanwhile', async () => {
  const { connect, malformed } = listening();
  const connection = connect();
  const waits = once(connection, 'pause');
  connection.send(Buffer.from(`POST /api/v1/ingest HTTP/1.1\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`));
  await waits;
  connection.send(Buffer.from(lead(1)));
  await expect.poll(() => connection.writableEnded).toBe(true);
  expect(statusesOf(connection)).toEqual(['200']);
  expect(malformed).toEqual(['server']);
});
