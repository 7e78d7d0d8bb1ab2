import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runStream, type StreamFigures } from '../../chaos/hostile/stream.ts';
import type { Sender } from '../../chaos/load/order.ts';
import type { Instance } from '../../chaos/world/instance.ts';
import { createSender } from '../../chaos/world/sender.ts';
import { bearerRequest, signedRequest } from '../../chaos/world/target.ts';
import { stolenShare } from '../cpu.ts';
import { leadBody } from '../load/lead.ts';
import { askForChallenge, networkOf, openPage, type Page, type Puzzle, tokenRequest } from './visit.ts';

/** Leads of backends and webhooks, each at a quarter of the peak: without and with the flood. */
interface Round {
  readonly calm: readonly StreamFigures[];
  readonly busy: readonly StreamFigures[];
  readonly bogus: StreamFigures;
  /** The share of the processor's time that the host gave to others. */
  readonly stolen: number;
}

export interface FloodFigures {
  readonly peakPerSecond: number;
  readonly rounds: readonly Round[];
}

/** Calm and busy alternate, because the host gives the machine more time in some minutes than in others. */
const rounds = 5;
const seconds = 4;
const warmUpSeconds = 2;
const stolenShareMax = 0.05;
const triesMax = 3;
const firstRate = 500;
const rateStep = 1.25;
/** Slower than this, requests wait for others. */
const peakMsMax = 250;
const connectMs = 3_000;
const floodSeconds = connectMs / 1_000 + warmUpSeconds + seconds + 1;
const bogusPerSecond = 2_000;
const bogusPerNetwork = 10;
/** More than may wait for one form, so that those that wait do not slow down the flood. */
const bogusConnections = 1_000;
const senderCount = 120;
const askedAtOnce = 32;

/** Wrong solutions to fresh challenges from many networks, while backends and webhooks send at half their peak. */
export async function measureFlood({ port }: Instance): Promise<FloodFigures> {
  const senders = await Promise.all(
    Array.from({ length: senderCount }, () => createSender(port, `flood-${randomUUID()}`)),
  );
  const streams = streamsOf(port, senders);
  const page = await openPage(port, senders[0] as Sender, 'work');
  const peakPerSecond = await findPeak(streams);
  const measured: Round[] = [];
  for (let number = 0; number < rounds; number++)
    measured.push(
      await undisturbed(async () => measureRound(port, streams, peakPerSecond, await bogusRequests(page))),
    );
  return { peakPerSecond, rounds: measured };
}

type Streams = (perSurface: number) => Promise<StreamFigures[]>;

async function measureRound(
  port: number,
  streams: Streams,
  peakPerSecond: number,
  requests: readonly string[],
): Promise<Round> {
  const stolen = stolenShare();
  // Half of it, on two surfaces.
  const rate = peakPerSecond / 4;
  const calm = await streams(rate);
  const order = { port, rate: bogusPerSecond, seconds: floodSeconds, connections: bogusConnections };
  const flood = runStream({ ...order, requests });
  // Until all its connections are open.
  await sleep(connectMs);
  const busy = await streams(rate);
  return { calm, busy, bogus: await flood, stolen: stolen() };
}

/** Leads of all senders on the token and the webhook surface. No two are the same. */
function streamsOf(port: number, senders: readonly Sender[]): Streams {
  let number = 0;
  return (rate) => {
    const bodies = Array.from({ length: Math.ceil(rate * (warmUpSeconds + seconds)) }, () =>
      leadBody(number++),
    );
    const senderOf = (place: number) => senders[place % senderCount] as Sender;
    const bearer = bodies.map((body, place) => bearerRequest(senderOf(place).token, body));
    const signed = bodies.map((body, place) =>
      signedRequest(senderOf(place).slug, senderOf(place).secret, body),
    );
    const order = { port, rate, seconds, warmUpSeconds, connections: 64 };
    return Promise.all([bearer, signed].map((requests) => runStream({ ...order, requests })));
  };
}

/** The highest rate of both surfaces together that the service keeps up with, as these streams measure it. */
async function findPeak(streams: Streams): Promise<number> {
  for (let rate = firstRate; ; rate *= rateStep)
    if (!(await undisturbed(() => keepsUp(streams, rate)))) return rate / rateStep;
}

/** Measures again, a few times at most, if the host gave much of the processor's time to others meanwhile. */
async function undisturbed<Result>(measure: () => Promise<Result>): Promise<Result> {
  for (let triesLeft = triesMax; ; ) {
    const stolen = stolenShare();
    const result = await measure();
    if (stolen() <= stolenShareMax || --triesLeft === 0) return result;
  }
}

async function keepsUp(streams: Streams, rate: number): Promise<boolean> {
  const figures = await streams(rate / 2);
  return figures.every(({ sent, statuses, p99Ms }) => statuses['202'] === sent && p99Ms <= peakMsMax);
}

let networks = 1_000_000;

async function bogusRequests(page: Page): Promise<string[]> {
  const requests: string[] = [];
  let left = bogusPerSecond * floodSeconds;
  const ask = async () => {
    while (left > 0) {
      if (left-- % bogusPerNetwork === 0) networks++;
      const network = networkOf(networks);
      const puzzle: Puzzle = await askForChallenge(page, 'never sent', network);
      requests.push(tokenRequest(puzzle, '1', network));
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, ask));
  return requests;
}
