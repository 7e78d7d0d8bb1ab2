import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Goals, Scenario, Stage } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';
import type { Pair } from '../world/pair.ts';
import type { Postgres } from '../world/postgres.ts';
import { workerSettings } from '../world/workers.ts';

const failoverGoals: Goals = { acceptedShareMin: 1, promotionMsMax: 1_000 };
const standbyGoals: Goals = { acceptedShareMin: 1 };
/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 2;
const readyMsMax = 120_000;

const failover: Scenario = {
  name: 'failover',
  about:
    'the primary is killed, alone or with all its processes, or hangs; the standby is promoted, and the old primary comes back as a standby from a fresh copy',
  hasStandby: true,
  seconds: 180,
  goals: failoverGoals,
  faults: repeated(async (stage, pair, cycle) => {
    const old = pair.primary;
    await lose(old, cycle);
    await sleep(stage.random.between(50, 2_000) * Math.min(1, stage.seconds / 10));
    await pair.promote();
    await old.killAll();
    await pause(stage);
    await pair.rejoin();
  }),
};

/** A pair of servers, one of which is the synchronous standby of the other. Each promotion changes their roles. */
export const failoverScenarios: readonly Scenario[] = [
  failover,
  {
    ...failover,
    name: 'failover with workers',
    seconds: 60,
    prepare: () => workerSettings(2),
  },
  {
    name: 'switchover',
    about: 'the primary is stopped, the standby promoted, and the old primary follows it',
    hasStandby: true,
    seconds: 90,
    goals: failoverGoals,
    faults: repeated(async (stage, pair) => {
      await pair.primary.stop();
      await sleep(stage.random.between(0, 500));
      await pair.promote();
      await pause(stage);
      await pair.rejoinAsItIs();
    }),
  },
  {
    name: 'returned primary',
    about: 'the old primary starts again by itself after the promotion, and accepts writes for a while',
    hasStandby: true,
    seconds: 90,
    goals: failoverGoals,
    faults: repeated(async (stage, pair) => {
      const old = pair.primary;
      await old.killAll();
      await sleep(stage.random.between(50, 1_000));
      await pair.promote();
      await old.start();
      await sleep(stage.random.between(500, 4_000));
      await old.killAll();
      await pause(stage);
      await pair.rejoin();
    }),
  },
  {
    name: 'standby lost',
    about: 'the synchronous standby is killed or hangs, and comes back; until then commits wait for it',
    hasStandby: true,
    seconds: 90,
    goals: standbyGoals,
    faults: repeated(async (stage, pair, cycle) => {
      if (cycle % 2 === 0) await pair.standby.kill();
      else pair.standby.freeze('SIGSTOP');
      await sleep(stage.random.between(500, 8_000));
      await pair.heal();
    }),
  },
  {
    name: 'restart in failover',
    about: 'the service is killed too, and starts again before or after the promotion',
    hasStandby: true,
    seconds: 60,
    faults: repeated(async (stage, pair) => {
      const instance = stage.instances[0] as Instance;
      const old = pair.primary;
      await Promise.all(stage.random.chance(0.5) ? [old.killAll(), instance.kill()] : [old.killAll()]);
      await sleep(stage.random.between(0, 1_500));
      if (instance.isWanted) await instance.kill();
      instance.start();
      await sleep(stage.random.between(0, 3_000));
      await pair.promote();
      await instance.untilReady(readyMsMax);
      await pause(stage);
      await pair.rejoin();
    }),
  },
  {
    name: 'both lost',
    about:
      'both servers are killed, in any order; they come back in their roles, or the standby as the primary',
    hasStandby: true,
    seconds: 90,
    goals: failoverGoals,
    faults: repeated(async (stage, pair, cycle) => {
      const { random } = stage;
      const old = pair.primary;
      for (const server of random.chance(0.5) ? [pair.primary, pair.standby] : [pair.standby, pair.primary]) {
        await server.killAll();
        await sleep(random.between(0, 1_000));
      }
      await sleep(random.between(0, 4_000));
      if (cycle % 2 === 0) return pair.heal();
      await pair.standby.start();
      await pair.promote();
      await old.killAll();
      await pause(stage);
      await pair.rejoin();
    }),
  },
];

/** The server is killed, or all its processes are, or it hangs. */
async function lose(server: Postgres, cycle: number): Promise<void> {
  if (cycle % 3 === 0) await server.kill();
  else if (cycle % 3 === 1) await server.killAll();
  else server.freeze('SIGSTOP');
}

/** Repeats a fault that ends with the pair in step. */
function repeated(fault: (stage: Stage, pair: Pair, cycle: number) => Promise<void>) {
  return async (stage: Stage) => {
    const { pair } = stage;
    if (pair === null) throw new Error('The scenario has no standby');
    for (let cycle = 0; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
      await pause(stage);
      await fault(stage, pair, cycle);
    }
    notePromotions(stage, pair.promotions);
  };
}

/** Shorter runs have shorter pauses, so that they too see each fault several times. */
function pause({ random, seconds }: Stage): Promise<void> {
  return sleep(random.between(500, 3_000) * Math.min(1, seconds / 60));
}

function notePromotions(stage: Stage, promotions: readonly number[]): void {
  if (promotions.length === 0) return;
  const sorted = promotions.toSorted((a, b) => a - b);
  const seconds = (ms: number | undefined) => `${((ms ?? 0) / 1000).toFixed(2)} s`;
  const median = seconds(sorted[Math.floor(sorted.length / 2)]);
  const load = `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`;
  stage.note(
    `${sorted.length} promotions; a lead stored after a median of ${median}, at most ${seconds(sorted.at(-1))} (${load})`,
  );
}
