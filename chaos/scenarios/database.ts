import { setTimeout as sleep } from 'node:timers/promises';
import type { Goals, Scenario, Stage } from '../scenario.ts';

const outageGoals: Goals = { acceptedShareMin: 0.999, p99MsMax: 500, maxMsMax: 2_000 };
const cyclesMin = 4;
/** A slow machine makes few commits. The run then continues until there is something to see. */
const cutsMin = 20;
const cutsMsMax = 60_000;
const slowGoals: Goals = { p99MsMax: 1_000 };

/** PostgreSQL is down, frozen, slow or silent, except for the first and the last sixth of the time. */
export const databaseScenarios: readonly Scenario[] = [
  {
    name: 'postgres kill',
    about: 'kill -9 of PostgreSQL, back with crash recovery after two thirds of the time',
    seconds: 90,
    goals: outageGoals,
    faults: outage(
      ({ postgres }) => postgres.kill(),
      ({ postgres }) => postgres.start(),
    ),
  },
  {
    name: 'postgres stop',
    about: 'an orderly stop of PostgreSQL',
    seconds: 90,
    goals: outageGoals,
    faults: outage(
      ({ postgres, random }) => postgres.stop(random.pick(['SIGINT', 'SIGQUIT'])),
      ({ postgres }) => postgres.start(),
    ),
  },
  {
    name: 'postgres freeze',
    about: 'SIGSTOP of PostgreSQL and all its connections',
    seconds: 90,
    goals: slowGoals,
    faults: outage(
      async ({ postgres }) => postgres.freeze('SIGSTOP'),
      async ({ postgres }) => postgres.freeze('SIGCONT'),
    ),
  },
  {
    name: 'slow',
    about: 'every response of PostgreSQL takes 2 s longer',
    seconds: 90,
    goals: slowGoals,
    faults: outage(
      ({ proxy }) => proxy.set({ kind: 'slow', delayMs: 2_000 }),
      ({ proxy }) => proxy.set({ kind: 'pass' }),
    ),
  },
  {
    name: 'blackhole',
    about: 'connections to PostgreSQL are accepted and never answered; what was sent arrives at the end',
    seconds: 90,
    goals: slowGoals,
    faults: outage(
      ({ proxy }) => proxy.set({ kind: 'blackhole' }),
      ({ proxy }) => proxy.set({ kind: 'pass' }),
    ),
  },
  {
    name: 'flapping',
    about: 'the network to PostgreSQL changes every moment: refused, silent, slow, cut, fine',
    seconds: 90,
    faults: async ({ proxy, random, endsAt }) => {
      for (let cycle = 0; cycle < cyclesMin || Date.now() < endsAt; cycle++) {
        const kind = random.pick(['refuse', 'blackhole', 'slow', 'cut'] as const);
        await proxy.set({ kind, delayMs: random.between(50, 1_500), probability: 0.3 });
        await sleep(random.between(100, 3_000));
        await proxy.set({ kind: 'pass' });
        await sleep(random.between(100, 2_000));
      }
    },
  },
  {
    name: 'cut',
    about:
      'one commit in twenty (in short runs, in five) is sent and its connection cut, half of them when PostgreSQL has committed',
    seconds: 120,
    faults: async (stage) => {
      const { proxy, seconds, endsAt } = stage;
      await proxy.set({ kind: 'cut', probability: seconds < 60 ? 0.2 : 0.05 });
      while (Date.now() < endsAt || (proxy.cuts < cutsMin && Date.now() < endsAt + cutsMsMax))
        await sleep(100);
      stage.note(`${stage.proxy.cuts} connections were cut`);
    },
  },
];

function outage(begin: (stage: Stage) => Promise<void>, end: (stage: Stage) => Promise<void>) {
  return async (stage: Stage) => {
    await sleep(stage.seconds * 167);
    await begin(stage);
    await sleep(stage.seconds * 666);
    await end(stage);
    await sleep(stage.seconds * 167);
  };
}
