import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runStream, type StreamFigures } from '../../chaos/hostile/stream.ts';
import type { Instance } from '../../chaos/world/instance.ts';
import { createSender } from '../../chaos/world/sender.ts';
import { bearerRequest, scratchDir, signedRequest } from '../../chaos/world/target.ts';
import { generators, preferredGenerator } from '../load/generator.ts';
import { leadBody } from '../load/lead.ts';
import { askForChallenge, networkOf, openPage, type Puzzle, tokenRequest } from './visit.ts';

export interface FloodFigures {
  readonly peakPerSecond: number;
  /** Leads of backends and webhooks, each at a quarter of the peak: without and with the flood. */
  readonly calm: readonly StreamFigures[];
  readonly busy: readonly StreamFigures[];
  readonly bogus: StreamFigures;
}

const seconds = 8;
const peakSeconds = 4;
const connectMs = 4_000;
const floodSeconds = seconds + 6;
const bogusPerSecond = 2_000;
const bogusPerNetwork = 10;
/** More than may wait for one form, so that those that wait do not slow down the flood. */
const bogusConnections = 1_000;
const senderCount = 60;
const askedAtOnce = 32;

/** Wrong solutions to fresh challenges from many networks, while backends and webhooks send at half their peak. */
export async function measureFlood({ port }: Instance): Promise<FloodFigures> {
  const senders = await Promise.all(
    Array.from({ length: senderCount }, () => createSender(port, `flood-${randomUUID()}`)),
  );
  const tokens = senders.map(({ token }) => token);
  const load = { port, connections: 64, seconds: peakSeconds, tokens, runId: randomUUID() };
  const { rate: peakPerSecond } = await generators[preferredGenerator()](load, await scratchDir());
  const rate = peakPerSecond / 4;
  let number = 0;
  const streams = () => {
    const count = Math.ceil(rate * seconds);
    const bodies = Array.from({ length: count }, () => leadBody(number++));
    const senderOf = (place: number) => senders[place % senderCount] as (typeof senders)[number];
    const bearer = bodies.map((body, place) => bearerRequest(senderOf(place).token, body));
    const signed = bodies.map((body, place) =>
      signedRequest(senderOf(place).slug, senderOf(place).secret, body),
    );
    const order = { port, rate, seconds, connections: 64 };
    return Promise.all([bearer, signed].map((requests) => runStream({ ...order, requests })));
  };
  const page = await openPage(port, senders[0] as (typeof senders)[number], 'work');
  const requests = await bogusRequests(page);
  // Warm-up: the first stream meets code that was never run.
  await streams();
  const calm = await streams();
  const order = { port, rate: bogusPerSecond, seconds: floodSeconds, connections: bogusConnections };
  const flood = runStream({ ...order, requests });
  // Until all its connections are open.
  await sleep(connectMs);
  const busy = await streams();
  const bogus = await flood;
  return { peakPerSecond, calm, busy, bogus };
}

async function bogusRequests(page: Parameters<typeof askForChallenge>[0]): Promise<string[]> {
  const requests: string[] = [];
  let next = 0;
  const ask = async () => {
    while (next < bogusPerSecond * floodSeconds) {
      const network = networkOf(1_000_000 + Math.floor(next++ / bogusPerNetwork));
      const puzzle: Puzzle = await askForChallenge(page, 'never sent', network);
      requests.push(tokenRequest(puzzle, '1', network));
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));
  return requests;
}
