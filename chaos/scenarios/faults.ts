import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../scenario.ts';
import type { Instance } from '../world/instance.ts';

/* Faults of scenarios in which several instances work in the background. */

const readyMsMax = 120_000;
/** Leases last 15 s: they have expired when the database is back. */
const longOutageMs = 20_000;

export async function killOne({ random, instances }: Stage): Promise<void> {
  await restart([random.pick(instances)]);
}

export async function killAll({ instances }: Stage): Promise<void> {
  await restart(instances);
}

async function restart(instances: readonly Instance[]): Promise<void> {
  await Promise.all(instances.map((instance) => instance.kill()));
  for (const instance of instances) instance.start();
  await Promise.all(instances.map((instance) => instance.untilReady(readyMsMax)));
}

/** What waits in memory meanwhile is lost with an instance that is killed. */
export async function killPostgres(stage: Stage): Promise<void> {
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
export async function outage({ proxy, random, seconds }: Stage): Promise<void> {
  const kind = random.pick(['refuse', 'blackhole'] as const);
  await proxy.set({ kind });
  await sleep(Math.min(longOutageMs, seconds * random.between(30, 150)));
  await proxy.set({ kind: 'pass' });
}

/** Shorter runs have shorter pauses, so that they too see each fault several times. */
export function pause({ random, seconds }: Stage): Promise<void> {
  return sleep(random.between(1_000, 5_000) * Math.min(1, seconds / 30));
}
