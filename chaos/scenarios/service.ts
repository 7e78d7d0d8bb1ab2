import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario, Stage } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';

const readyMsMax = 120_000;
/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 2;
/** How long a service may take to answer without PostgreSQL before the scenario continues without it. */
const aliveMsMax = 120_000;
/** Long enough for leads to come in, whatever the state of the service. */
const pauseMsMin = 500;

/** Faults of the service's own process. */
export const serviceScenarios: readonly Scenario[] = [
  {
    name: 'calm',
    about: 'no faults, as a baseline',
    seconds: 30,
    faults: ({ seconds }) => sleep(seconds * 1000),
  },
  {
    name: 'kill',
    about: 'kill -9 of the service: with PostgreSQL up, during a stalled commit, and with PostgreSQL down',
    seconds: 240,
    enough: { accepted: 200_000, kills: 100 },
    faults: async (stage) => {
      const kinds = [killUp, killStalled, killDown];
      for (let cycle = 0; cycle < kinds.length || Date.now() < stage.endsAt; cycle++) {
        await pause(stage, 2_000, 8_000);
        await (kinds[cycle % kinds.length] as typeof killUp)(stage, only(stage));
        await only(stage).untilReady(readyMsMax);
      }
    },
  },
  {
    name: 'terminate',
    about: 'SIGTERM under load, every second time with PostgreSQL down',
    seconds: 90,
    faults: async (stage) => {
      const { postgres } = stage;
      let slowestMs = 0;
      for (let cycle = 0; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
        await pause(stage, 1_000, 4_000);
        if (cycle % 2 === 1) await postgres.stop();
        slowestMs = Math.max(slowestMs, await only(stage).terminate());
        only(stage).start();
        if (!postgres.isUp) await only(stage).untilAlive(aliveMsMax);
        await postgres.start();
        await only(stage).untilReady(readyMsMax);
      }
      stage.note(`the slowest stop took ${(slowestMs / 1000).toFixed(1)} s`);
    },
  },
  {
    name: 'freeze',
    about: 'SIGSTOP of the service for up to 30 s',
    seconds: 60,
    faults: async (stage) => {
      await sleep(stage.seconds * 250);
      only(stage).freeze('SIGSTOP');
      await sleep(Math.min(30_000, stage.seconds * 500));
      only(stage).freeze('SIGCONT');
      await sleep(stage.seconds * 250);
    },
  },
  {
    name: 'restart in outage',
    about: 'PostgreSQL stays down while the service is killed and restarted repeatedly',
    seconds: 90,
    faults: async (stage) => {
      await sleep(stage.seconds * 100);
      await stage.postgres.kill();
      for (let cycle = 0; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
        await pause(stage, 1_000, 4_000);
        await only(stage).kill();
        only(stage).start();
        await only(stage).untilAlive(aliveMsMax);
      }
    },
  },
];

async function killUp(_stage: Stage, instance: Instance): Promise<void> {
  await instance.kill();
  instance.start();
}

/** Commits pile up behind a stalled network, so that the kill affects many leads instead of one. */
async function killStalled({ proxy, random }: Stage, instance: Instance): Promise<void> {
  await proxy.set({ kind: 'blackhole' });
  await sleep(random.between(50, 400));
  await instance.kill();
  await proxy.set({ kind: 'pass' });
  instance.start();
}

async function killDown(stage: Stage, instance: Instance): Promise<void> {
  const { postgres, random } = stage;
  await postgres.stop(random.pick(['SIGINT', 'SIGQUIT']));
  await sleep(random.between(200, 2_000));
  await instance.kill();
  instance.start();
  await instance.untilAlive(aliveMsMax);
  await sleep(random.between(200, 1_000));
  await postgres.start();
}

function only({ instances }: Stage): Instance {
  return instances[0] as Instance;
}

/** Shorter runs have shorter pauses, so that they too see each fault several times. */
function pause({ random, seconds }: Stage, min: number, max: number): Promise<void> {
  return sleep(Math.max(pauseMsMin, random.between(min, max) * Math.min(1, seconds / 60)));
}
