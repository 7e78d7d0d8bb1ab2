import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { undoAll } from '../bench/undo.ts';
import { check } from '../chaos/check/check.ts';
import { keepEvidence } from '../chaos/evidence.ts';
import { othersIn } from '../chaos/find-broken.ts';
import { readOptions } from '../chaos/options.ts';
import { type Result, runScenario } from '../chaos/run.ts';
import { scenarioNamed, scenarios } from '../chaos/scenarios/all.ts';
import { Postgres } from '../chaos/world/postgres.ts';
import { copyCluster } from './support/database/postgres.ts';
import { scratchFolder } from './support/scratch.ts';

/** A smoke test of `npm run chaos`, which runs longer, injects more faults and finds the broken builds. */
const smoke = { rate: 40, seed: 20_261_115 };

const dir = scratchFolder('chaos');
afterAll(async () => {
  await undoAll();
  rmSync(dir, { recursive: true, force: true });
});

describe('nothing that was answered with 202 is lost, duplicated or altered', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    copyCluster(inject('preparedDataDir'), dir);
    postgres = await Postgres.create(dir);
  });

  async function run(name: string, own: string, seconds: number): Promise<Result> {
    const scenario = scenarioNamed(name);
    const result = await runScenario(scenario, { ...smoke, seconds, dir: own, postgres });
    const { faults, figures } = result;
    expect(faults, faults.length === 0 ? '' : await keepEvidence(name, own, smoke.seed)).toEqual([]);
    expect(figures.accepted).toBeGreaterThan(0);
    return result;
  }

  test('when the service and PostgreSQL are killed', async () => {
    await run('restart in outage', join(dir, 'outage'), 2);
  });

  test('when the primary is killed and its synchronous standby promoted', async () => {
    const own = join(dir, 'failover');
    mkdirSync(join(own, 'pair', 'first'), { recursive: true });
    copyCluster(inject('preparedDataDir'), join(own, 'pair', 'first'));
    expect((await run('failover', own, 0.5)).promotions.length).toBeGreaterThan(1);
  });
});

describe('npm run chaos', () => {
  test('covers every kind of fault that a promise is made for', () => {
    const names = scenarios.map(({ name }) => name);
    for (const name of [
      'kill',
      'postgres kill',
      'flapping',
      'race in outage',
      'orphan',
      'terminate',
      'restart in drain',
      'disk full',
      'failover',
      'standby lost',
      'both lost',
      'worker kill',
      'supervisor kill',
      'rolling restart',
      'citus node kill',
      'citus coordinator kill',
      'citus bucket move',
      'citus rebalance',
      'delivery',
    ])
      expect(names).toContain(name);
  });

  test('repeats what was asked for until there is enough of it', () => {
    expect(readOptions(['--all']).repeated?.name).toBe('kill');
    expect(readOptions(['--all', '--scenario=delivery']).repeated?.name).toBe('delivery');
    expect(readOptions(['--scenario=delivery']).repeated).toBeNull();
  });

  test('finds a broken build by the promise that it breaks, not by another error', () => {
    const build = { finds: 'doubled', also: ['lost'] } as const;
    const findings = { ...check({ attempts: [], entries: new Map() }, []), doubled: ['x'], lost: ['x'] };
    expect(othersIn({ findings, troubles: [] }, build)).toEqual([]);
    expect(othersIn({ findings, troubles: ['not quiet after 30 s'] }, build)).toEqual([
      'not quiet after 30 s',
    ]);
    expect(othersIn({ findings: { ...findings, foreign: ['x'] }, troubles: [] }, build)).toEqual([
      '1 foreign, for example x',
    ]);
  });

  test('tries each broken build with the same seeds every time', () => {
    expect(readOptions(['--broken'])).toEqual(readOptions(['--broken']));
    expect(readOptions(['--broken'])).toMatchObject({ isBroken: true, seed: 1 });
    expect(() => readOptions(['--broken', '--scenario=kill'])).toThrow('each broken build has its scenario');
  });
});
