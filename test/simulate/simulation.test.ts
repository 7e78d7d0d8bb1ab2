import { describe, expect, test } from 'vitest';
import { brokenBuilds } from '../../simulate/broken-builds.ts';
import { findIn, othersIn } from '../../simulate/find-broken.ts';
import type { BrokenBuild } from '../../simulate/finding.ts';
import { type Act, type Plan, planOf } from '../../simulate/plan.ts';
import { type Result, runPlan, runSeed } from '../../simulate/run.ts';
import { runSeeds } from '../../simulate/seeds.ts';
import type { Submission } from '../../simulate/senders/submission.ts';
import { shrink } from '../../simulate/shrink.ts';
import { rateLimits } from '../../src/domain/rate-window.ts';

test('whatever fails, no promise is broken in the first two hundred histories', async () => {
  let accepted = 0;
  const deliveries: string[] = [];
  for (let seed = 1; seed <= 200; seed++) {
    const result = await runSeed(seed);
    expect(result.findings, `npm run simulate -- --seed=${seed}`).toEqual([]);
    accepted += result.accepted;
    deliveries.push(...result.deliveries);
  }
  expect(accepted).toBeGreaterThan(7_000);
  expect(deliveries.length).toBeGreaterThan(1_500);
  expect(new Set(deliveries)).toEqual(new Set(['delivered', 'dead', 'skipped', 'cancelled']));
});

test('the same seed gives the same history in any thread, and another seed a different one', async () => {
  const hashes: string[] = [];
  for (let seed = 1; seed <= 8; seed++) hashes.push((await runSeed(seed)).hash);
  expect(new Set(hashes).size).toBe(hashes.length);
  expect((await runSeed(7)).hash).toBe(hashes[6]);
  const inOneThread = await runSeeds({ seeds: 8, first: 1, workers: 1 });
  const inTwoThreads = await runSeeds({ seeds: 8, first: 1, workers: 2 });
  expect(inTwoThreads).toEqual(inOneThread);
  expect((await runSeed(7, true)).hash).toBe(hashes[6]);
});

// In the last fraction of a millisecond, it once waited for no time at all, forever.
test('a process that stops with deliveries in progress waits for them no longer than it may', async () => {
  expect((await runSeed(1_458)).findings).toEqual([]);
});

test('histories contain every kind of fault, retries, limits, passing days, clusters, deliveries and admissions', () => {
  const plans = Array.from({ length: 300 }, (_, seed) => planOf(seed + 1));
  const acts = plans.flatMap((plan) => plan.acts);
  const nameOf = (act: Act) => ('fault' in act ? act.fault : 'does' in act ? act.does : null);
  const seen = new Set(acts.map((act) => [act.kind, nameOf(act)].filter((word) => word !== null).join(' ')));
  expect([...seen].toSorted()).toEqual([
    'a day passes',
    'courier frozen',
    'courier killed',
    'courier killed in a step',
    'courier terminated',
    'database contended',
    'database cutting',
    'database deaf',
    'database down',
    'database read-only',
    'database silent',
    'database slow',
    'destination change',
    'destination pause',
    'destination resume',
    'disk full',
    'disk io',
    'disk slow',
    'forget keys',
    'form',
    'held admit',
    'held admit some',
    'held discard',
    'held discard some',
    'kill',
    'kill in a step',
    'move',
    'node contended',
    'node cutting',
    'node deaf',
    'node down',
    'node read-only',
    'node silent',
    'node slow',
    'owner enrich',
    'owner erase',
    'owner spam',
    'owner unmark',
    'power',
    'remove',
    'replay',
    'replay all',
    'send',
    'terminate',
    'tokens',
  ]);
  expect(new Set(plans.map(({ hosts }) => hosts.length))).toEqual(new Set([1, 2, 3]));
  expect(plans.some(({ limits }) => limits.perMinuteMax < 100)).toBe(true);
  const clusters = plans.flatMap(({ cluster }) => cluster ?? []);
  expect(new Set(clusters.map(({ nodes }) => nodes))).toEqual(new Set([2, 3]));
  expect(new Set(clusters.map(({ isDelegated }) => isDelegated))).toEqual(new Set([true, false]));
  expect(clusters.some(({ hasLeadsOnCoordinator }) => hasLeadsOnCoordinator)).toBe(true);
  const deliveries = plans.flatMap(({ delivery }) => delivery ?? []);
  const moods = deliveries.flatMap(({ destinations }) => destinations.map(({ mood }) => mood));
  expect(new Set(moods)).toEqual(new Set(['well', 'slow', 'flaky', 'broken', 'picky']));
  expect(new Set(deliveries.map(({ couriers }) => couriers))).toEqual(new Set([1, 2, 3]));
  const held = plans.flatMap((plan) => plan.held ?? []);
  expect(new Set(held.map(({ admitsFirst }) => admitsFirst))).toEqual(new Set([true, false]));
});

/** By a server, with a key. */
const first: Submission = {
  number: 1,
  workspace: 0,
  surface: 'server',
  credential: 'good',
  key: 1,
  use: 0,
  body: 1,
  bodyBytes: 200,
  isUnreadable: false,
  isSignedOnce: false,
  packets: 1,
};

test('a lead that waits in a spool while its key is used again elsewhere is stored, and so is the newer one', async () => {
  const second = { ...first, number: 2, body: 2, use: 1 };
  const plan: Plan = {
    seed: 1,
    loadMs: 8_000,
    workspaces: 1,
    cluster: null,
    delivery: null,
    held: null,
    hosts: [0, 1],
    laneCount: 1,
    limits: rateLimits,
    spoolBytesMax: 2 ** 26,
    acts: [
      { at: 1_000, kind: 'database', fault: 'down', forMs: 2_000 },
      { at: 1_500, kind: 'send', submission: first, instance: 0, tries: 1 },
      { at: 2_990, kind: 'a day passes' },
      // Before the other instance knows that PostgreSQL is back.
      { at: 3_001, kind: 'send', submission: second, instance: 1, tries: 1 },
    ],
  };
  const { findings, accepted, trace } = await runPlan(plan, true);
  expect(findings).toEqual([]);
  expect(accepted).toBe(3);
  expect(trace.findIndex((line) => / commit /.test(line))).toBeLessThan(
    trace.findIndex((line) => / drain /.test(line)),
  );
});

test('a lead over the limit of the spool that PostgreSQL stores after all gets no response', async () => {
  const unkeyed = (number: number) => ({ ...first, key: null, number, body: number });
  const plan: Plan = {
    seed: 1,
    loadMs: 8_000,
    workspaces: 1,
    cluster: null,
    delivery: null,
    held: null,
    hosts: [0],
    laneCount: 1,
    limits: { perMinuteMax: 1, perDayMax: 1 },
    spoolBytesMax: 2 ** 26,
    acts: [
      { at: 1_000, kind: 'database', fault: 'down', forMs: 1_000 },
      { at: 1_500, kind: 'send', submission: unkeyed(1), instance: 0, tries: 1 },
      { at: 4_000, kind: 'database', fault: 'silent', forMs: 100 },
      { at: 4_050, kind: 'send', submission: unkeyed(2), instance: 0, tries: 1 },
    ],
  };
  const { findings, accepted, trace } = await runPlan(plan, true);
  expect(findings).toEqual([]);
  expect(accepted).toBe(1);
  expect(trace.some((line) => line.endsWith('sender 2 no answer'))).toBe(true);
});

test('a key is looked up on another node when its node was removed', async () => {
  const plan: Plan = {
    seed: 1,
    loadMs: 3_000,
    workspaces: 1,
    cluster: { nodes: 2, hasLeadsOnCoordinator: false, shardsPerBucket: 1, isDelegated: false },
    delivery: null,
    held: null,
    hosts: [0],
    laneCount: 1,
    limits: rateLimits,
    spoolBytesMax: 2 ** 26,
    acts: [
      { at: 1_000, kind: 'remove', node: 0, runsForMs: 100 },
      { at: 2_000, kind: 'send', submission: { ...first, isUnreadable: true }, instance: 0, tries: 1 },
    ],
  };
  const { findings, trace } = await runPlan(plan, true);
  expect(findings).toEqual([]);
  expect(trace.filter((line) => / sender 1 200 /.test(line))).toHaveLength(2);
});

describe('a history that breaks a promise', () => {
  /** Breaks a promise whenever an instance is killed and the third submission is sent. */
  async function brokenRun(plan: Plan): Promise<Result> {
    const isBroken = plan.acts.some(isKill) && plan.acts.some(isThird);
    const findings = isBroken ? [{ kind: 'lost' as const, text: '' }] : [];
    return { plan, findings, hash: '', trace: [], accepted: 0, deliveries: [] };
  }
  const isKill = (act: Act) => act.kind === 'kill';
  const isThird = (act: Act) => act.kind === 'send' && act.submission.number === 3;

  test('is shrunk to the acts that it needs', async () => {
    for (const seed of [3, 8, 21, 34]) {
      const plan = planOf(seed);
      const kill: Act = { at: 10, kind: 'kill', instance: 0, downMs: 10 };
      const found = await brokenRun({ ...plan, acts: [...plan.acts, kill] });
      if (found.findings.length === 0) continue;
      const { acts } = (await shrink(found, brokenRun)).plan;
      expect(acts.filter(isKill)).toHaveLength(1);
      expect(acts.filter(isThird)).toHaveLength(1);
      expect(acts).toHaveLength(2);
    }
  });

  test('breaks the same promise without the other acts', async () => {
    const plan = planOf(5);
    const sends = { ...plan, acts: plan.acts.filter(({ kind }) => kind === 'send') };
    const [first, again] = [await runPlan(sends), await runPlan(sends)];
    expect(again.hash).toBe(first.hash);
  });
});

// `npm run simulate -- --broken` runs all of them.
test.each([
  'answers before it commits',
  'does not sync what it writes to the spool',
  'shares one circuit between all nodes',
  'writes that a delivery has arrived before it sends it',
  'admits a held submission under an ID that nothing is derived from',
])('a build that %s is found', async (name) => {
  const build = brokenBuilds.find((other) => other.name === name) as BrokenBuild;
  const find = await findIn(build, 1_000);
  expect(find?.kinds).toContain(build.finds);
  expect(find && othersIn(build, find)).toEqual([]);
});
