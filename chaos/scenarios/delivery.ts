import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryWorld } from '../delivery/delivery-world.ts';
import { judgeDeliveries } from '../delivery/judge.ts';
import type { Scenario, Stage } from '../scenario.ts';
import type { Breakage } from '../world/broken-build.ts';
import type { Instance } from '../world/instance.ts';

const readyMsMax = 120_000;
/** Even on a slow machine, each kind of fault happens. */
const cyclesMin = 4;
/** Leases last 15 s: they have expired when the database is back. */
const longOutageMs = 20_000;

/** The schedule of three days in a minute. Everything else waits as long as it always does. */
const hurried: readonly Breakage[] = [
  {
    file: 'src/domain/destination/retry/schedule.ts',
    from: `  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]`,
    to: `  ...Array.from({ length: 8 }, () => 5 * secondMs),
]`,
  },
];

/** Leads leave: to receivers that fail, from instances that are killed, with a database that is down now and then. */
export const deliveryScenarios: readonly Scenario[] = [
  {
    name: 'delivery',
    about:
      'receivers fail, hang, trickle and lie, while instances and PostgreSQL are killed and the network to it fails',
    instances: 3,
    hasDestinations: true,
    substitutions: hurried,
    traffic: { serverShare: 1, resentShare: 0, largeShare: 0.005 },
    rateShare: 0.75,
    seconds: 45,
    // Some of the responses are those of retries.
    enough: { accepted: 105_000, kills: 50 },
    prepare: async () => ({ DELIVER_ALLOW: '127.0.0.1' }),
    faults: async (stage) => {
      const delivery = stage.delivery as DeliveryWorld;
      delivery.start();
      const kinds = [killOne, outage, killPostgres, killAll, killOne, killOne, killOne];
      for (let cycle = 0; cycle < cyclesMin || Date.now() < stage.endsAt; cycle++) {
        await pause(stage);
        await (kinds[cycle % kinds.length] as typeof killOne)(stage);
      }
      await delivery.eraser.stop();
    },
    judge: judgeDeliveries,
  },
];

async function killOne({ random, instances }: Stage): Promise<void> {
  await restart([random.pick(instances)]);
}

async function killAll({ instances }: Stage): Promise<void> {
  await restart(instances);
}

async function restart(instances: readonly Instance[]): Promise<void> {
  await Promise.all(instances.map((instance) => instance.kill()));
  for (const instance of instances) instance.start();
  await Promise.all(instances.map((instance) => instance.untilReady(readyMsMax)));
}

/** Outcomes wait in memory meanwhile, and an instance that is killed loses them. */
async function killPostgres(stage: Stage): Promise<void> {
  const { postgres, random, instances } = stage;
  await postgres.kill();
  await sleep(random.between(200, 3_000));
  const victim = random.pick(instances);
  const isKilled = random.chance(0.5);
  if (isKilled) await victim.kill();
  await postgres.start();
  if (isKilled) victim.start();
  await victim.untilReady(readyMsMax);
}

/** The database is there, but out of reach: at once, or after requests that nobody answers. */
async function outage({ proxy, random, seconds }: Stage): Promise<void> {
  const kind = random.pick(['refuse', 'blackhole'] as const);
  await proxy.set({ kind });
  await sleep(Math.min(longOutageMs, seconds * random.between(30, 150)));
  await proxy.set({ kind: 'pass' });
}

/** Shorter runs have shorter pauses, so that they too see each fault several times. */
function pause({ random, seconds }: Stage): Promise<void> {
  return sleep(random.between(1_000, 5_000) * Math.min(1, seconds / 30));
}
