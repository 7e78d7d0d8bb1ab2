import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createListener, type LeadHandler } from '../../../../src/http/listener.ts';
import { paceConnections } from '../../../../src/http/paced/paced-connections.ts';
import type { Destination } from '../../../../src/http/paths.ts';
import { NodeReply, type Reply } from '../../../../src/http/plain/reply.ts';
import { RealClock } from '../../../../src/time/real-clock.ts';
import { PacketConnection } from '../packets.ts';
import { type PlainCase, plainCase } from './cases.ts';

/** How one server took one connection. */
interface Seen {
  /** Every request that reached the handler of leads, whole. */
  readonly leads: string[];
  readonly connection: PacketConnection;
}

export interface Comparison {
  readonly cases: number;
  /** Requests that were read without Node's parser. */
  readonly plain: number;
  /** Seeds of cases in which the two servers differed, with the first difference. */
  readonly differences: readonly string[];
}

/** On a slow machine, one reader would get less of a connection in its turn than the other, and what is closed then differs. */
class StillClock extends RealClock {
  override monotonic(): number {
    return 0;
  }
}

const clock = new StillClock();
const casesAtOnce = 100;
const differencesMax = 5;

/**
 * Sends the same packets to a listener and to one that leaves everything to Node's parser, and compares which leads reach
 * the handler, byte for byte, what the sender reads, and whether its connection is closed.
 */
export async function compareReaders(firstSeed: number, cases: number): Promise<Comparison> {
  const seen = new Map<object, Seen>();
  const handler = new CountingHandler(seen);
  const ours = listenerOf(handler);
  const nodes = listenerOf(handler);
  const [toNode] = createServer().listeners('connection') as [(socket: Socket) => void];
  nodes.removeAllListeners('connection').on('connection', toNode);
  paceConnections(nodes, clock);
  const differences: string[] = [];
  for (
    let seed = firstSeed;
    seed < firstSeed + cases && differences.length < differencesMax;
    seed += casesAtOnce
  ) {
    const seeds = Array.from({ length: Math.min(casesAtOnce, firstSeed + cases - seed) }, (_, n) => seed + n);
    const inputs = seeds.map(plainCase);
    const [left, right] = [await talk(ours, inputs, seen), await talk(nodes, inputs, seen)];
    for (const [place, one] of left.entries()) {
      const [mine, theirs] = [one, right[place] as string];
      if (mine !== theirs) differences.push(`seed ${seeds[place]}:\n${mine}\ninstead of\n${theirs}`);
    }
    seen.clear();
  }
  return { cases, plain: handler.plainCount, differences };
}

function listenerOf(ingest: LeadHandler): Server {
  return createListener({
    clock,
    mint: (request) => request.socket.destroy(),
    ingest,
    rest: (request, response) => void request.on('end', () => response.writeHead(404).end()).resume(),
    onMalformed: () => {},
  }).server;
}

class CountingHandler implements LeadHandler {
  plainCount = 0;
  readonly #seen: Map<object, Seen>;

  constructor(seen: Map<object, Seen>) {
    this.#seen = seen;
  }

  read(
    request: IncomingMessage,
    response: ConstructorParameters<typeof NodeReply>[1],
    destination: Destination,
  ) {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () =>
      this.#answer(request, Buffer.concat(chunks), destination, new NodeReply(request, response)),
    );
  }

  take(request: Parameters<LeadHandler['take']>[0], reply: Reply): void {
    this.plainCount++;
    this.#answer(request, request.body, request.destination, reply);
  }

  /** A turn later, as the service answers. */
  #answer(
    { method, url, rawHeaders, socket }: Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders' | 'socket'>,
    body: Buffer,
    destination: Destination,
    reply: Reply,
  ): void {
    const seen = this.#seen.get(socket);
    if (seen === undefined) return;
    const lead = JSON.stringify([method, url, rawHeaders, destination, body.toString('latin1')]);
    seen.leads.push(lead);
    seen.connection.awaited++;
    setImmediate(() => {
      seen.connection.awaited--;
      if (body.length === 7) reply.close();
      else if (body.length % 2 === 0) reply.rejected('id');
      else reply.accepted('id', 'x'.repeat(36));
    });
  }
}

async function talk(server: Server, inputs: readonly PlainCase[], all: Map<object, Seen>): Promise<string[]> {
  const seen = inputs.map((): Seen => ({ leads: [], connection: new PacketConnection() }));
  for (const one of seen) all.set(one.connection, one);
  for (const { connection } of seen) server.emit('connection', connection);
  const longest = Math.max(...inputs.map(({ packets }) => packets.length));
  for (let at = 0; at < longest; at++) {
    for (const [place, { connection }] of seen.entries()) connection.send(inputs[place]?.packets[at]?.bytes);
    // Those that do not wait are joined by the next packet while the first is under way.
    await nextTurn();
    await settled(seen.filter((_, place) => inputs[place]?.packets[at + 1]?.isAwaited ?? true));
  }
  await settled(seen);
  const before = seen.map(outcomeOf);
  for (const [place, { connection }] of seen.entries()) if (inputs[place]?.hangsUp) connection.hangUp();
  await settled(seen);
  const outcomes = seen.map((one, place) => `${before[place]}\nin the end: ${outcomeOf(one)}`);
  for (const { connection } of seen) connection.destroy();
  return outcomes;
}

async function settled(seen: readonly Seen[]): Promise<void> {
  for (let turns = 0; turns < 4; turns++) await nextTurn();
  while (seen.some(({ connection }) => connection.isAwaited)) await nextTurn();
  for (let turns = 0; turns < 2; turns++) await nextTurn();
}

function outcomeOf({ leads, connection }: Seen): string {
  const { received, writableEnded, destroyed } = connection;
  const answers = received
    .replaceAll(/^Date: .*$/gm, 'Date: …')
    .replaceAll(/^(X-Request-Id): .*$/gm, '$1: …');
  return JSON.stringify({ leads, answers, isClosed: writableEnded || destroyed });
}
