import { randomBytes } from 'node:crypto';
import { type CpuSeconds, cpuOf } from './cpu.ts';
import type { Kept } from './kept.ts';
import { type GeneratorName, generators } from './load/generator.ts';
import { halfRateRequests, runAtHalfRate } from './load/half-rate.ts';
import type { Figures } from './load/load.ts';
import type { TargetName } from './options.ts';
import {
  startEcho,
  startService,
  startServiceForStrangers,
  startServiceThatRejects,
  startTextbook,
  type Target,
  workspaceCount,
} from './targets/targets.ts';

/** One target under one load: started, warmed up, measured, stopped and checked. */
export interface Step {
  readonly target: TargetName;
  readonly connections: number;
}

export interface Run extends Step {
  readonly figures: Figures;
  /** What the service and PostgreSQL used per request, in microseconds; null for other targets. */
  readonly cost: Cost | null;
  /** At half the rate that the service has reached: of the service, and of the echo after it; null for other targets. */
  readonly halfRate: Figures | null;
  readonly kept: Kept | null;
  /** Empty when every response was as expected. A run with errors says nothing about speed. */
  readonly errors: readonly string[];
}

interface Cost {
  readonly nodeMicros: number;
  readonly postgresMicros: number;
}

export interface Pace {
  readonly generator: GeneratorName;
  readonly warmUpSeconds: number;
  readonly measuredSeconds: number;
  readonly scratchDir: string;
}

const starts: Record<TargetName, (scratchDir: string) => Promise<Target>> = {
  echo: startEcho,
  textbook: startTextbook,
  'bad token': startServiceForStrangers,
  service: (scratchDir) => startService(scratchDir),
  rejected: (scratchDir) => startServiceThatRejects(scratchDir, { HELD: 'off' }),
  held: (scratchDir) => startServiceThatRejects(scratchDir, { HELD: 'on' }),
};

/** Why a target rejects all requests. */
const reasons: Partial<Record<TargetName, string>> = {
  'bad token': 'token_unknown',
  rejected: 'form_inactive',
  held: 'form_inactive',
};

// A workspace may send 1,000 leads a minute. Tokens are picked at random, so some get more than the mean.
const requestsMax = workspaceCount * 750;

/** `servicePeak` is the rate that the service has reached with as many connections; null before. */
export async function runStep(step: Step, pace: Pace, servicePeak: number | null): Promise<Run> {
  const target = await starts[step.target](pace.scratchDir);
  const load = (seconds: number) =>
    generators[pace.generator](
      { ...step, port: target.port, tokens: target.tokens, seconds, runId: randomBytes(6).toString('hex') },
      pace.scratchDir,
    );
  const warmUp = await load(pace.warmUpSeconds);
  const isService = step.target === 'service';
  const left = requestsMax - warmUp.requests - (isService ? halfRateRequests(warmUp.rate) : 0);
  const secondsMax = Math.floor(left / (warmUp.rate * 1.3));
  const before = costOf(target);
  const figures = await load(Math.max(1, Math.min(pace.measuredSeconds, secondsMax)));
  const cost = perRequest(before, costOf(target), figures.requests);
  const peak = isService ? figures.rate : step.target === 'echo' ? servicePeak : null;
  const halfRate = peak === null ? null : await runAtHalfRate(target, step.connections, peak);
  const kept = await target.finish();
  const loads = [warmUp, figures, ...(halfRate === null ? [] : [halfRate])];
  return { ...step, figures, cost, halfRate, kept, errors: errorsOf(step, loads, kept) };
}

function costOf({ pid }: Target): CpuSeconds | null {
  return pid === null ? null : cpuOf(pid);
}

function perRequest(before: CpuSeconds | null, after: CpuSeconds | null, requests: number): Cost | null {
  if (before === null || after === null) return null;
  const micros = (part: keyof CpuSeconds) => ((after[part] - before[part]) * 1e6) / requests;
  return { nodeMicros: micros('node'), postgresMicros: micros('postgres') };
}

/** wrk does not distinguish a 202 from an opaque 200, but the target's records do. */
function errorsOf(step: Step, loads: readonly Figures[], kept: Kept | null): string[] {
  const answered = loads.reduce((sum, load) => sum + load.requests, 0);
  const failures = loads.reduce((sum, load) => sum + load.failures, 0);
  const errors = failures === 0 ? [] : [`${failures} broken connections, timeouts or error responses`];
  if (kept === null) return errors;
  const { leads, held, rejections } = kept;
  const { [reasons[step.target] ?? '']: rejected, ...otherRejections } = rejections;
  const [expected, unexpected] = step.target in reasons ? [rejected ?? 0, leads] : [leads, 0];
  // When the time is up, each connection may have a request in progress whose response is not counted.
  const underWayMax = loads.length * step.connections;
  const isComplete = expected >= answered && expected <= answered + underWayMax;
  const isHeldRight = held > 0 === (step.target === 'held');
  const isClean = unexpected === 0 && Object.keys(otherRejections).length === 0;
  if (isComplete && isClean && isHeldRight) return errors;
  return [
    ...errors,
    `${answered} responses, ${leads} leads stored, ${held} rejections held, rejections ${JSON.stringify(rejections)}`,
  ];
}
