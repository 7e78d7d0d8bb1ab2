import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { answerAccepted, answerRejected } from '../../src/http/answers.ts';
import { createListener } from '../../src/http/listener.ts';
import { systemClock } from '../../src/time/real-clock.ts';
import { malformedCases } from '../support/http/malformed-http.ts';
import { PacketConnection } from '../support/http/packets.ts';
import { whole } from '../support/http/raw-request.ts';
import { statusesIn } from '../support/http/wire.ts';

/**
 * Sends every malformed request in two packets to the real listener, with stubs behind it and no network.
 * hostile-http.test.ts does the same with the whole service over TCP, at fewer places.
 *
 * On the server path, each request is cut at every third byte from where it differs from a clean one; the next case uses the
 * bytes in between. All cases start with the same bytes and share the cuts in them. The other paths and arrangements share
 * cuts too, because the same code reads the same bytes.
 */
const paths = {
  server: '/api/v1/ingest',
  webhook: '/api/v1/ingest/x',
  retired: '/api/ingest/x',
  other: '/api/v1/x',
};
type Kind = keyof typeof paths;
const allowed: Record<Kind, readonly number[]> = {
  server: [200, 202],
  webhook: [200, 202],
  retired: [410],
  other: [400, 404],
};
const token = null;
const connectionsAtOnce = 100;
// Longer requests are cut at every byte near the start and the end, and at some bytes in between.
const longBytes = 1_000;
const cutsOfLong = 100;
const [seldom, often, most] = [50, 8, 3];
const fullRequestLine = /^[\r\n]*[!-~]+ [!-~]+ HTTP\/[^\r\n]*\r?\n/;

/** When the stubs answer: as soon as they have the head, or one turn after they have the body. */
let answersAt: 'head' | 'end' = 'end';

function answerInTime(request: IncomingMessage, answer: () => void): void {
  if (answersAt === 'head') answer();
  else request.on('end', () => setImmediate(answer)).resume();
}

function answerIngest(response: ServerResponse): void {
  if (answersAt === 'head') answerRejected(response, 'id');
  else answerAccepted(response, 'id', 'x'.repeat(36));
}

const { server } = createListener({
  clock: systemClock,
  mint: null,
  ingest: {
    read: (request, response) => answerInTime(request, () => answerIngest(response)),
    take: ({ socket }, reply) => {
      const connection = socket as unknown as PacketConnection;
      connection.requests.push({ complete: true } as IncomingMessage);
      connection.awaited++;
      const answer = () => {
        connection.awaited--;
        if (answersAt === 'head') reply.rejected('id');
        else reply.accepted('id', 'x'.repeat(36));
      };
      if (answersAt === 'head') answer();
      else setImmediate(answer);
    },
  },
  rest: (request, response) => answerInTime(request, () => response.writeHead(404).end()),
  onMalformed: () => {},
});
const refused = new WeakSet<object>();
server.prependListener('clientError', (_error, socket) => refused.add(socket));

/** A valid request to another path than the malformed one, so that a mix-up is noticed. */
const ingestBefore = Buffer.from(whole({ path: paths.server, token }), 'latin1');
const retiredBefore = Buffer.from(whole({ path: paths.retired, token }), 'latin1');

type Arrange = (bytes: Buffer, cut: number, before: Buffer) => Buffer[];
const arrangements: Record<string, Arrange> = {
  alone: (bytes, cut) => [bytes.subarray(0, cut), bytes.subarray(cut)],
  'behind a request in the same packet': (bytes, cut, before) => [
    Buffer.concat([before, bytes.subarray(0, cut)]),
    bytes.subarray(cut),
  ],
  'behind an answered request': (bytes, cut, before) => [before, bytes.subarray(0, cut), bytes.subarray(cut)],
  'behind a request that is cut itself': (bytes, cut, before) => [
    before.subarray(0, cut % before.length),
    Buffer.concat([before.subarray(cut % before.length), bytes]),
  ],
};

interface Conversation {
  readonly name: string;
  readonly kind: Kind;
  readonly isAlone: boolean;
  readonly packets: readonly Buffer[];
}

interface CutCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly cuts: readonly number[];
  /** How many of its first bytes equal those of a clean request. */
  readonly commonBytes: number;
}

const casesByKind = new Map<Kind, readonly CutCase[]>();

function casesOf(kind: Kind): readonly CutCase[] {
  const known = casesByKind.get(kind);
  if (known !== undefined) return known;
  const target = { path: paths[kind], token };
  const clean = Buffer.from(whole(target), 'latin1');
  const cases = malformedCases(target).map(({ name, bytes }) => {
    const differsAt = bytes.findIndex((byte, at) => byte !== clean[at]);
    return { name, bytes, cuts: cutsOf(bytes), commonBytes: differsAt === -1 ? bytes.length : differsAt };
  });
  casesByKind.set(kind, cases);
  return cases;
}

/** With `every` above 1, a subset of the cuts that differs per case. */
function* conversations(kind: Kind, arrangement: string, every: number): Generator<Conversation> {
  const arrange = arrangements[arrangement] as Arrange;
  const before = kind === 'retired' ? ingestBefore : retiredBefore;
  for (const [number, { name, bytes, cuts, commonBytes }] of casesOf(kind).entries())
    for (const cut of cuts) {
      const step = cut <= commonBytes ? Math.max(every, often) : every;
      if (cut % step !== number % step) continue;
      const packets = arrange(bytes, cut, before).filter(({ length }) => length > 0);
      yield { name: `${name}, cut at ${cut}`, kind, isAlone: arrangement === 'alone', packets };
    }
}

function cutsOf({ length }: Buffer): number[] {
  const isShort = length <= longBytes;
  const step = Math.ceil(length / cutsOfLong);
  return [...Array(length).keys()].filter(
    (cut) => isShort || cut < cutsOfLong || cut > length - cutsOfLong || cut % step === 0,
  );
}

async function faultsIn(all: Iterable<Conversation>): Promise<string[]> {
  const faults: string[] = [];
  let batch: Conversation[] = [];
  for (const conversation of all) {
    if (batch.push(conversation) < connectionsAtOnce) continue;
    faults.push(...(await hold(batch)));
    batch = [];
  }
  faults.push(...(await hold(batch)));
  return faults.slice(0, 20);
}

async function hold(batch: readonly Conversation[]): Promise<string[]> {
  const connections = batch.map(() => new PacketConnection());
  for (const connection of connections) server.emit('connection', connection);
  await settled(connections);
  for (let at = 0; batch.some(({ packets }) => at < packets.length); at++) {
    for (const [i, connection] of connections.entries()) connection.send(batch[i]?.packets[at]);
    await settled(connections);
  }
  const faults = connections.map((connection, i) => faultOf(batch[i] as Conversation, connection));
  const heard = connections.map(({ received }) => received);
  for (const connection of connections) connection.hangUp();
  await settled(connections);
  for (const [i, { received }] of connections.entries())
    if (received !== heard[i]) faults.push(`${batch[i]?.name}: half a request was answered`);
  for (const connection of connections) connection.destroy();
  return faults.filter((fault) => fault !== null);
}

/** Waits until every complete request has been answered. */
async function settled(connections: readonly PacketConnection[]): Promise<void> {
  do await nextTurn();
  while (connections.some(({ isAwaited }) => isAwaited));
}

function faultOf(
  { name, kind, isAlone, packets }: Conversation,
  connection: PacketConnection,
): string | null {
  const { received, requests, writableEnded, destroyed } = connection;
  const statuses = statusesIn(received).filter((status) => status !== 100);
  const own = isAlone ? statuses : statuses.slice(1);
  const due = kind !== 'retired' ? 410 : answersAt === 'end' ? 202 : 200;
  if (!isAlone && statuses[0] !== due) return `${name}: the request before it was answered ${statuses[0]}`;
  if (own.some((status) => !isAllowed(status, kind, name))) return `${name}: answered ${own}`;
  if (own.includes(400) && !(isAlone && fullRequestLine.test(packets[0]?.toString('latin1') ?? '')))
    return `${name}: 400 to bytes of an unknown path`;
  // At most one response per readable request, and at most one for the unreadable rest.
  const answersMax = requests.length + (requests.at(-1)?.complete === false ? 0 : 1);
  if (statuses.length > answersMax) return `${name}: ${statuses} to ${requests.length} requests`;
  if (refused.has(connection) && !writableEnded && !destroyed) return `${name}: left open`;
  return null;
}

function isAllowed(status: number, kind: Kind, name: string): boolean {
  return allowed[kind].includes(status) || (name.includes('retired, then good') && status === 410);
}

describe.each(Object.keys(arrangements))('malformed HTTP in two packets, %s', (arrangement) => {
  const isAlone = arrangement === 'alone';
  const share = isAlone || arrangement.endsWith('same packet') ? often : seldom;
  test.each([
    ['the server path', '200, 202', 'server', isAlone ? most : share],
    ['a webhook path', '200, 202', 'webhook', seldom],
    ['the retired path', '410', 'retired', share],
    ['another path', '404, 400 as the first of the connection', 'other', seldom],
  ] as const)('%s gets %s or no response, and never two for one request', async (_, __, kind, every) => {
    answersAt = 'end';
    expect(await faultsIn(conversations(kind, arrangement, every))).toEqual([]);
  });
});

describe.each(Object.keys(paths) as Kind[])('a request that is answered before its end, %s path', (kind) => {
  test.each(Object.keys(arrangements))(
    'is not answered again when its body is malformed, %s',
    async (arrangement) => {
      answersAt = 'head';
      expect(await faultsIn(conversations(kind, arrangement, seldom))).toEqual([]);
    },
  );
});
