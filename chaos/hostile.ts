import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../bench/report.ts';
import { isInterrupted, undoAll } from '../bench/undo.ts';
import { hostileBodies } from './hostile/bodies.ts';
import {
  type ConnectionFigures,
  sendInPieces,
  sendOversized,
  sendPipelined,
  stall,
} from './hostile/connections.ts';
import { runStream, type StreamFigures } from './hostile/stream.ts';
import { endWhenInterrupted } from './interruption.ts';
import type { Instance } from './world/instance.ts';
import { bearerRequest, createStranger, signedRequest, startTarget } from './world/target.ts';

/** Measures how much hostile senders affect the others. */
interface Measurement {
  readonly name: string;
  readonly measured: string;
  readonly goal: string;
  readonly isReached: boolean;
}

const megabyte = 1024 * 1024;
const seconds = 8;
const rejectedEnd = '{"status":"rejected"}';
// A few milliseconds may double by chance, which nobody would notice.
const noticeableMs = 15;

async function oversized(target: Instance): Promise<Measurement> {
  const { token } = await createStranger(target.port);
  const { answers, peakBytes } = await sendOversized(target, token, 1_000);
  const refused = answers.filter((answer) => answer.endsWith(rejectedEnd)).length;
  return {
    name: '1,000 bodies one byte too large at once',
    measured: `+${(peakBytes / megabyte).toFixed(0)} MB, ${refused} refused`,
    goal: '<= +300 MB, 1,000 refused',
    isReached: peakBytes <= 300 * megabyte && refused === 1_000,
  };
}

async function stalled(target: Instance): Promise<Measurement> {
  const { token } = await createStranger(target.port);
  const calm = await neighbourStream(target);
  const stalling = stall(target, token, 2_000);
  await sleep(1_000);
  const busy = await neighbourStream(target);
  const { answers, peakBytes, slowestCloseMs } = await stalling;
  const silent = answers.every((answer) => answer === '');
  return {
    name: '2,000 stalled connections',
    measured: `closed after ${(slowestCloseMs / 1000).toFixed(1)} s, +${(peakBytes / megabyte).toFixed(0)} MB, ${comparison(calm, busy)}`,
    goal: '<= 15 s, <= +100 MB, p99 twofold',
    isReached: slowestCloseMs <= 15_000 && peakBytes <= 100 * megabyte && silent && isNoSlower(calm, busy),
  };
}

async function inPieces(target: Instance): Promise<Measurement> {
  const { token } = await createStranger(target.port);
  return besides(target, '96 bodies in pieces of one byte', 96, () => sendInPieces(target, token, 96));
}

async function pipelined(target: Instance): Promise<Measurement> {
  const name = '30,000 pipelined requests on 3 connections';
  return besides(target, name, 30_000, () => sendPipelined(target, 3, 10_000));
}

/** Requests that are all to be refused, while a neighbour sends leads. */
async function besides(
  target: Instance,
  name: string,
  count: number,
  send: () => Promise<ConnectionFigures>,
): Promise<Measurement> {
  const calm = await neighbourStream(target);
  const sending = sleep(1_000).then(send);
  const [busy, { answers, peakBytes }] = await Promise.all([neighbourStream(target), sending]);
  const refused = answers.reduce((sum, answer) => sum + answer.split(rejectedEnd).length - 1, 0);
  return {
    name,
    measured: `+${(peakBytes / megabyte).toFixed(0)} MB, ${refused} refused, ${comparison(calm, busy)}`,
    goal: `<= +100 MB, ${count.toLocaleString('en')} refused, p99 twofold`,
    isReached: peakBytes <= 100 * megabyte && refused === count && isNoSlower(calm, busy),
  };
}

async function badSignatures(target: Instance): Promise<Measurement> {
  const { slug, secret } = await createStranger(target.port);
  const flood = { port: target.port, rate: 2_000, seconds, connections: 64 };
  const [bad, good] = await Promise.all([
    runStream({ ...flood, requests: [signedRequest(slug, 'not the secret')] }),
    runStream({ ...flood, rate: 10, connections: 8, requests: [signedRequest(slug, secret)] }),
  ]);
  const { '202': accepted = 0 } = good.statuses;
  const { '200': refused = 0 } = bad.statuses;
  return {
    name: '2,000 bad signatures/s on one form',
    measured: `${accepted} of ${good.sent} valid leads 202, ${(refused / seconds).toFixed(0)} refused/s`,
    goal: 'all valid leads 202',
    isReached: accepted === good.sent && refused === bad.sent,
  };
}

async function greedyTenant(target: Instance): Promise<Measurement> {
  const { token } = await createStranger(target.port);
  const calm = await neighbourStream(target);
  const rate = (20 * 1_000) / 60;
  const [busy] = await Promise.all([
    neighbourStream(target),
    runStream({ port: target.port, rate, seconds, connections: 64, requests: [bearerRequest(token)] }),
  ]);
  return {
    name: 'a workspace at twenty times its limit',
    measured: comparison(calm, busy),
    goal: 'p99 of its neighbour at most twofold',
    isReached: isNoSlower(calm, busy),
  };
}

/** Bodies that are expensive on purpose, at the full rate of a workspace, on both surfaces. */
async function costlyBodies(target: Instance): Promise<Measurement> {
  const requests = await costlyRequests(target);
  const calm = await neighbourStream(target);
  const stream = { port: target.port, rate: 1_000 / 60, seconds, connections: 16 };
  const [busy, ...costly] = await Promise.all([
    neighbourStream(target),
    ...requests.map((ofSurface) => runStream({ ...stream, requests: ofSurface })),
  ]);
  return {
    name: '1,000 costly bodies a minute on both surfaces',
    measured: `${comparison(calm, busy)}; theirs: ${answersOf(costly)}`,
    goal: 'p99 of its neighbour at most twofold',
    isReached: isNoSlower(calm, busy),
  };
}

/** All of these bodies at the same time. */
async function costlyBurst(target: Instance): Promise<Measurement> {
  const requests = (await costlyRequests(target)).flat();
  const calm = await neighbourStream(target);
  const burst = { port: target.port, rate: 10_000, seconds: requests.length / 10_000, connections: 64 };
  const sendLater = sleep(1_000).then(() => runStream({ ...burst, requests }));
  const [busy, costly] = await Promise.all([neighbourStream(target), sendLater]);
  return {
    name: `${requests.length} expensive bodies at the same time`,
    measured: `${comparison(calm, busy)}; theirs: ${answersOf([costly])}`,
    goal: 'p99 of its neighbour at most twofold',
    isReached: isNoSlower(calm, busy),
  };
}

/** Those of one workspace, by surface. */
async function costlyRequests({ port }: Instance): Promise<string[][]> {
  const { token, slug, secret } = await createStranger(port);
  const bodies = Object.values(hostileBodies).map((make) => make().toString('latin1'));
  return [
    bodies.map((body) => bearerRequest(token, body)),
    bodies.map((body) => signedRequest(slug, secret, body)),
  ];
}

function answersOf(streams: readonly StreamFigures[]): string {
  const count = (status: string) => streams.reduce((sum, { statuses }) => sum + (statuses[status] ?? 0), 0);
  return `${count('202')} 202, ${count('200')} refused, ${count('none')} closed`;
}

/** An ordinary sender in another workspace. */
async function neighbourStream({ port }: Instance): Promise<StreamFigures> {
  const { token } = await createStranger(port);
  return runStream({ port, rate: 50, seconds, connections: 16, requests: [bearerRequest(token)] });
}

function comparison(calm: StreamFigures, busy: StreamFigures): string {
  const share = ((busy.statuses['202'] ?? 0) / busy.sent) * 100;
  return `neighbour p99 ${busy.p99Ms.toFixed(1)} ms instead of ${calm.p99Ms.toFixed(1)} ms, ${share} % 202`;
}

function isNoSlower(calm: StreamFigures, busy: StreamFigures): boolean {
  return busy.statuses['202'] === busy.sent && busy.p99Ms <= Math.max(noticeableMs, 2 * calm.p99Ms);
}

async function main(): Promise<number> {
  try {
    const target = await startTarget();
    // The first requests of a process are always slow.
    await neighbourStream(target);
    const measurements: Measurement[] = [];
    for (const measure of [
      ...[greedyTenant, badSignatures, costlyBodies, costlyBurst],
      ...[stalled, oversized, inPieces, pipelined],
    ])
      measurements.push(await measure(target));
    const rows = measurements.map(({ name, measured, goal, isReached }) => [
      name,
      measured,
      goal,
      isReached && target.crashes === 0 ? 'ok' : 'BELOW',
    ]);
    process.stdout.write(`${table([['hostile sender', 'measured', 'goal', ''], ...rows]).join('\n')}\n`);
    return measurements.every(({ isReached }) => isReached) && target.crashes === 0 ? 0 : 1;
  } catch (error) {
    if (isInterrupted()) return 130;
    throw error;
  } finally {
    await undoAll();
  }
}

endWhenInterrupted();
process.exitCode = await main();
