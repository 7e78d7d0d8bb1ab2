import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { undoAll } from '../bench/undo.ts';
import { brokenBuilds } from '../chaos/broken-builds.ts';
import { keepEvidence } from '../chaos/evidence.ts';
import { type Result, runScenario } from '../chaos/run.ts';
import { scenarioNamed } from '../chaos/scenarios/all.ts';
import { buildBroken } from '../chaos/world/broken-build.ts';
import { Postgres } from '../chaos/world/postgres.ts';

/** A few seconds of every kind of fault; `npm run chaos` is the same for longer. */
const rate = 80;
const timeoutMs = 1_200_000;
const triesMax = 20;
// Repeats nothing: a test that met the same accidents every time would know only those.
const firstSeed = Date.now() % 2 ** 30;

const dir = mkdtempSync(join(tmpdir(), 'leadgate-chaos-'));
let postgres: Postgres;
let runs = 0;

beforeAll(async () => {
  postgres = await Postgres.create(dir);
});
afterAll(async () => {
  await undoAll();
  rmSync(dir, { recursive: true, force: true });
});

function run(scenario: string, seconds: number, seed: number, sourceDir?: string): Promise<Result> {
  const own = { dir: join(dir, String(++runs)), seed, rate, seconds, postgres };
  // A broken build may never answer; waiting for it proves nothing more.
  const broken = sourceDir === undefined ? {} : { sourceDir, finishSeconds: 2 };
  return runScenario(scenarioNamed(scenario), { ...own, ...broken });
}

describe('every lead answered with 202 is stored once, as it was sent', () => {
  test.each([
    // The third is the least share of 202 where the service itself is never killed: PostgreSQL alone is away.
    ['kill', 8, 0],
    ['postgres kill', 6, 0.9],
    ['flapping', 6, 0.9],
    ['race in outage', 6, 0.9],
    ['orphan', 6, 0],
    ['terminate', 5, 0],
    ['restart in drain', 6, 0],
    ['disk full', 5, 0],
  ])('%s', { timeout: timeoutMs }, async (scenario, seconds, acceptedShareMin) => {
    const seed = firstSeed + runs;
    const { faults, figures } = await run(scenario, seconds, seed);
    const kept = faults.length === 0 ? '' : await keepEvidence(scenario, join(dir, String(runs)), seed);
    expect(faults, `seed ${seed}, ${kept}`).toEqual([]);
    expect(figures.accepted).toBeGreaterThan(50);
    expect(figures.acceptedShare).toBeGreaterThan(acceptedShareMin);
  });
});

describe('the harness finds what it is there to find', () => {
  test.each(brokenBuilds)('a build that $name', { timeout: timeoutMs }, async (build) => {
    const sourceDir = buildBroken(join(dir, `broken-${runs}`), build.breakages);
    let found: string[] = [];
    // Faults come at random moments, and not every one meets a lead.
    for (let tries = 0; tries < triesMax && found.length === 0; tries++)
      found = (await run(build.scenario, 4, firstSeed + runs, sourceDir)).findings[build.finds];
    expect(found).not.toEqual([]);
  });
});
