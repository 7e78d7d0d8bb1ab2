import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario, Stage } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';

const racers = 8;
const race = { racers, keyedShare: 1, resentShare: 0, invalidShare: 0, largeShare: 0 };
const readyMsMax = 120_000;
const adoptionSeconds = 180;

/** Two instances that share only a database, or also a spool directory. */
export const pairScenarios: readonly Scenario[] = [
  {
    name: 'race',
    about: 'eight simultaneous requests with one key over two instances, one of which is killed now and then',
    instances: 2,
    traffic: race,
    rateShare: 1 / racers,
    seconds: 60,
    faults: killNowAndThen,
  },
  {
    name: 'race in outage',
    about: 'the same while PostgreSQL is down, with keys that were first used before',
    instances: 2,
    traffic: { ...race, resentShare: 1 / 3 },
    rateShare: 1 / racers,
    seconds: 60,
    faults: async (stage) => {
      await sleep(stage.seconds * 250);
      await stage.postgres.kill();
      await sleep(stage.seconds * 500);
      await stage.postgres.start();
      await sleep(stage.seconds * 250);
    },
  },
  {
    name: 'orphan',
    about: 'one of two instances is killed in an outage and never comes back; the other takes over its spool',
    instances: 2,
    seconds: 60,
    adoptionSeconds,
    prepare: async (dir) => ({ SPOOL_DIR: `${dir}/spool` }),
    faults: async ({ postgres, instances, load, seconds }) => {
      const [survivor, dead] = instances as [Instance, Instance];
      await sleep(seconds * 200);
      await postgres.kill();
      await sleep(seconds * 400);
      await dead.kill();
      load.aimAt([survivor.port]);
      await sleep(seconds * 200);
      await postgres.start();
      await sleep(seconds * 200);
    },
  },
];

async function killNowAndThen(stage: Stage): Promise<void> {
  const scale = Math.min(1, stage.seconds / 60);
  while (Date.now() < stage.endsAt) {
    await sleep(stage.random.between(2_000, 8_000) * scale);
    const victim = stage.random.pick(stage.instances);
    await victim.kill();
    victim.start();
    await victim.untilReady(readyMsMax);
  }
}
