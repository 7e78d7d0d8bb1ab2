import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../src/time/random.ts';
import { readBook } from './check/book.ts';
import { check, type Findings, faultsOf } from './check/check.ts';
import { type Figures, figuresOf } from './check/figures.ts';
import { readStored, type StoredLead } from './check/stored.ts';
import type { DeliveryFindings } from './delivery/delivery-check.ts';
import type { HeldFindings } from './held/held-check.ts';
import { Load } from './load/load.ts';
import { type Tally, usualTraffic } from './load/order.ts';
import type { Goals, Scenario, Stage } from './scenario.ts';
import { buildBroken } from './world/broken-build.ts';
import { routes } from './world/citus/citus-world.ts';
import type { Postgres } from './world/postgres.ts';
import { untilIdle, untilQuiet, usualQuietMsMax } from './world/quiet.ts';
import { buildWorld, heal, ourSources, serverUrls, tearDown, type World } from './world/world.ts';

export interface RunOptions {
  readonly postgres: Postgres;
  /** For the data of the service and the ledger. */
  readonly dir: string;
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
  readonly sourceDir?: string;
  /** How long after the last fault a lead with a key is retried. */
  readonly finishSeconds?: number;
  /** How long after the last fault a spool may still have leads. */
  readonly quietMsMax?: number;
  readonly onProgress?: (tally: Tally, phase: string) => void;
}

export interface Result {
  readonly scenario: string;
  readonly figures: Figures;
  readonly findings: Findings & Partial<DeliveryFindings & HeldFindings>;
  readonly kills: number;
  /** Per promotion of a standby, the milliseconds until a lead was stored again. */
  readonly promotions: readonly number[];
  /** From the end of the last fault until all spools were empty; null when that never happened. */
  readonly drainSeconds: number | null;
  /** What went wrong besides: a crash, a spool that is not drained. Must be empty. */
  readonly troubles: readonly string[];
  /** Broken promises. Must be empty. */
  readonly faults: readonly string[];
  /** Goals that were not reached. */
  readonly below: readonly string[];
  readonly notes: readonly string[];
}

const sendersPerRate = 0.1;
const sendersMin = 8;
const usualFinishSeconds = 180;
const adoptionPollMs = 500;

/** Load, faults, recovery, quiet, and the comparison of the ledger with PostgreSQL. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<Result> {
  const { postgres, dir, seed, seconds, quietMsMax = usualQuietMsMax } = options;
  await mkdir(dir, { recursive: true });
  const random = new Random(seed);
  const rate = Math.min(
    options.rate * (scenario.rateShare ?? 1),
    scenario.rateMax ?? Number.POSITIVE_INFINITY,
  );
  const killsBefore = postgres.kills;
  const world = await buildWorld({
    dir,
    random,
    postgres,
    hasStandby: scenario.hasStandby ?? false,
    hasCluster: scenario.hasCluster ?? false,
    hasDestinations: scenario.hasDestinations ?? false,
    hasHeld: scenario.hasHeld ?? false,
    instanceCount: scenario.instances ?? (scenario.hasCluster ? routes.length : 1),
    senderCount: scenario.senders ?? Math.max(sendersMin, Math.ceil(options.rate * sendersPerRate)),
    sourceDir: options.sourceDir ?? sourcesFor(scenario, dir),
    env: (await scenario.prepare?.(dir)) ?? {},
  });
  const ledgerPath = join(dir, 'ledger.ndjson');
  const notes: string[] = [];
  const seen: string[] = [];
  const missed: string[] = [];
  let phase = 'faults';
  const resendMsMax = Math.min(usualTraffic.resendMsMax, seconds * 500);
  const load = await Load.start(
    {
      ledgerPath,
      seed,
      rate,
      finishSeconds: options.finishSeconds ?? usualFinishSeconds,
      ports: world.instances.map(({ port }) => port),
      senders: world.senders,
      traffic: { ...usualTraffic, resendMsMax, ...scenario.traffic },
    },
    (tally) => options.onProgress?.(tally, phase),
  );
  const endsAt = Date.now() + seconds * 1000;
  const note = (text: string) => void notes.push(text);
  const fault = (text: string) => void seen.push(text);
  const miss = (text: string) => void missed.push(text);
  let compared: DeliveryFindings | HeldFindings | undefined;
  const found: Stage['found'] = (findings) => {
    compared = findings;
  };
  const stage: Stage = { ...world, load, seconds, endsAt, note, fault, found, miss };
  await scenario.faults(stage);
  await heal(world);
  phase = 'draining';
  const drainSeconds = await untilQuiet(world.instances, quietMsMax);
  phase = 'finishing';
  await load.finish();
  await untilQuiet(world.instances, quietMsMax);
  await untilAdopted(ledgerPath, world, scenario.adoptionSeconds ?? 0, stage.note);
  await load.confirm();
  for (const url of serverUrls(world)) await untilIdle(url);
  phase = 'checking';
  const book = await readBook(ledgerPath);
  const blindMs = Math.max(...world.instances.map((instance) => instance.blindMs));
  const stored = check(book, ofLoad(world, await readStored(world.databaseUrl())), blindMs);
  const figures = figuresOf(book.attempts);
  await scenario.judge?.(stage, book);
  // So few senders exceed their rate limits.
  const findings = { ...stored, ...(scenario.senders === undefined ? {} : { refused: [] }), ...compared };
  const troubles = [...seen, ...troublesOfProcesses(world, drainSeconds, quietMsMax)];
  if (figures.none > 0) notes.push(`without a response: ${figures.silences.join(', ')}`);
  const promotions = world.pair?.promotions ?? [];
  const kills = postgres.kills - killsBefore + (world.pair?.kills ?? 0) + (world.citus?.kills ?? 0);
  await tearDown(world);
  return {
    scenario: scenario.name,
    figures,
    findings,
    kills: world.instances.reduce((sum, instance) => sum + instance.kills, kills),
    promotions,
    drainSeconds,
    troubles,
    faults: [...faultsOf(findings), ...troubles],
    below: [...missed, ...missedGoals(figures, promotions, scenario.goals ?? {})],
    notes,
  };
}

/** The leads of which the ledger knows. */
function ofLoad({ held }: World, stored: readonly StoredLead[]): readonly StoredLead[] {
  return stored.filter(({ workspaceId }) => workspaceId !== held?.sender.workspaceId);
}

function sourcesFor({ substitutions }: Scenario, dir: string): string {
  return substitutions === undefined ? ourSources : buildBroken(join(dir, 'source'), substitutions);
}

/** Leads that a dead instance accepted count as lost only if no other instance takes them over in time. */
async function untilAdopted(
  ledgerPath: string,
  world: World,
  secondsMax: number,
  note: Stage['note'],
): Promise<void> {
  if (secondsMax === 0) return;
  const book = await readBook(ledgerPath);
  const startedAt = Date.now();
  while (Date.now() - startedAt < secondsMax * 1000) {
    const { lost } = check(book, ofLoad(world, await readStored(world.databaseUrl())));
    if (lost.length === 0) {
      note(
        `all leads of the dead instance were stored ${((Date.now() - startedAt) / 1000).toFixed(1)} s after quiet`,
      );
      return;
    }
    await sleep(adoptionPollMs);
  }
}

function troublesOfProcesses(
  { instances }: World,
  drainSeconds: number | null,
  quietMsMax: number,
): string[] {
  const crashes = instances.reduce((sum, instance) => sum + instance.crashes, 0);
  return [
    ...(crashes > 0 ? [`an instance crashed ${crashes} times`] : []),
    ...(drainSeconds === null ? [`not quiet after ${quietMsMax / 1000} s`] : []),
  ];
}

function missedGoals(figures: Figures, promotions: readonly number[], goals: Goals): string[] {
  const { acceptedShare, p99Ms, maxMs } = figures;
  const { acceptedShareMin = 0, p99MsMax = Infinity, maxMsMax = Infinity, promotionMsMax = Infinity } = goals;
  const late = promotions.filter((ms) => ms > promotionMsMax).length;
  return [
    ...(acceptedShare < acceptedShareMin ? [`share of 202 below ${acceptedShareMin}`] : []),
    ...(p99Ms > p99MsMax ? [`p99 above ${p99MsMax} ms`] : []),
    ...(maxMs > maxMsMax ? [`slowest above ${maxMsMax} ms`] : []),
    ...(late > 0 ? [`no lead stored within ${promotionMsMax} ms of ${late} promotions`] : []),
  ];
}
