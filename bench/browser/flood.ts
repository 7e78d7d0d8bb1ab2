import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runStream, type StreamFigures } from '../../chaos/hostile/stream.ts';
import type { Sender } from '../../chaos/load/order.ts';
import type { Instance } from '../../chaos/world/instance.ts';
import { createSender } from '../../chaos/world/sender.ts';
import { bearerRequest, signedRequest } from '../../chaos/world/target.ts';
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
const firstRate = 500;
const rateStep = 1.25;
/** Slower than this, requests wait for others. */
const peakMsMax = 250;
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
  const streams = streamsOf(port, senders);
  const page = await openPage(port, senders[0] as Sender, 'work');
  const requests = await bogusRequests(page);
  const peakPerSecond = await findPeak(streams);
  // Half of it, on two surfaces.
  const rate = peakPerSecond / 4;
  const calm = await streams(rate, seconds);
  const order = { port, rate: bogusPerSecond, seconds: floodSeconds, connections: bogusConnections };
  const flood = runStream({ ...order, requests });
  // Until all its connections are open.
  await sleep(connectMs);
  const busy = await streams(rate, seconds);
  const bogus = await flood;
  return { peakPerSecond, calm, busy, bogus };
}

type Streams = (perSurface: number, forSeconds: number) => Promise<StreamFigures[]>;

/** Leads of all senders on the token and the webhook surface. No two are the same. */
function streamsOf(port: number, senders: readonly Sender[]): Streams {
  let number = 0;
  return (rate, forSeconds) => {
    const bodies = Array.from({ length: Math.ceil(rate * forSeconds) }, () => leadBody(number++));
    const senderOf = (place: number) => senders[place % senderCount] as Sender;
    const bearer = bodies.map((body, place) => bearerRequest(senderOf(place).token, body));
    const signed = bodies.map((body, place) =>
      signedRequest(senderOf(place).slug, senderOf(place).secret, body),
    );
    const order = { port, rate, seconds: forSeconds, connections: 64 };
    return Promise.all([bearer, signed].map((requests) => runStream({ ...order, requests })));
  };
}

/** The highest rate of both surfaces together that the service keeps up with, as these streams measure it. */
async function findPeak(streams: Streams): Promise<number> {
  let peak = firstRate;
  for (let rate = firstRate; ; rate *= rateStep) {
    const figures = await streams(rate / 2, peakSeconds);
    const keepsUp = figures.every(
      ({ sent, statuses, p99Ms }) => statuses['202'] === sent && p99Ms <= peakMsMax,
    );
    // The first stream meets code that was never run.
    if (!keepsUp && rate > firstRate) return peak;
    peak = rate;
  }
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
