import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../bench/port.ts';
import { databaseUser } from '../../src/db/embedded/cluster.ts';
import { Random } from '../../src/time/random.ts';
import { DeliveryWorld } from '../delivery/delivery-world.ts';
import { HeldWorld } from '../held/held-world.ts';
import type { Sender } from '../load/order.ts';
import { CitusWorld, routes } from './citus/citus-world.ts';
import { DatabaseProxy } from './database-proxy.ts';
import { Instance } from './instance.ts';
import { Pair } from './pair.ts';
import type { Postgres } from './postgres.ts';
import { createSender } from './sender.ts';

export const ourSources = join(import.meta.dirname, '../..');
const readyMsMax = 300_000;

/** Everything that faults can affect. */
export interface World {
  readonly dir: string;
  readonly random: Random;
  readonly postgres: Postgres;
  readonly proxy: DatabaseProxy;
  /** What the instances use instead of `postgres` and its proxy, in scenarios with a standby. */
  readonly pair: Pair | null;
  /** The same in scenarios with a Citus cluster. */
  readonly citus: CitusWorld | null;
  /** In scenarios with destinations. */
  readonly delivery: DeliveryWorld | null;
  /** In scenarios with held submissions. */
  readonly held: HeldWorld | null;
  readonly instances: readonly Instance[];
  readonly senders: readonly Sender[];
  /** For the checker: bypasses the proxy, and leads to the present primary of a pair. */
  readonly databaseUrl: () => string;
}

export interface WorldOptions {
  readonly dir: string;
  readonly random: Random;
  readonly postgres: Postgres;
  readonly hasStandby: boolean;
  readonly hasCluster: boolean;
  readonly hasDestinations: boolean;
  readonly hasHeld: boolean;
  readonly instanceCount: number;
  readonly senderCount: number;
  readonly sourceDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A new database, a proxy in front of it, and instances that know only the proxy. Or a new pair of servers, or a cluster. */
export async function buildWorld(options: WorldOptions): Promise<World> {
  const { dir, random, postgres, sourceDir, env, instanceCount, senderCount } = options;
  await mkdir(dir, { recursive: true });
  const database = `chaos_${random.integer(1, 2 ** 30)}_${Date.now()}`;
  const pair = options.hasStandby ? await Pair.create(join(dir, 'pair'), database, random) : null;
  const citus = options.hasCluster ? await CitusWorld.create(database) : null;
  if (pair === null && citus === null) await postgres.createDatabase(database);
  const proxy = await DatabaseProxy.create(postgres.socketPath, new Random(random.integer(1, 2 ** 30)));
  const instances: Instance[] = [];
  for (let number = 0; number < instanceCount; number++) {
    const name = String.fromCharCode(97 + number);
    const own = {
      DATABASE_URL:
        pair?.url ?? citus?.url ?? `postgres://${databaseUser}@127.0.0.1:${proxy.port}/${database}`,
      ...(citus === null ? {} : { CITUS_ROUTE: routes[number % routes.length] as string }),
      ...env,
    };
    instances.push(new Instance({ name, port: await freePort(), sourceDir, dir: join(dir, name), env: own }));
  }
  const senders = await populate(instances, senderCount);
  const delivery = options.hasDestinations
    ? await DeliveryWorld.create(dir, instances, senders, random)
    : null;
  const held = options.hasHeld ? await HeldWorld.create(instances, random) : null;
  const databaseUrl = () => pair?.primaryUrl ?? citus?.url ?? postgres.url(database);
  return { dir, random, postgres, proxy, pair, citus, delivery, held, instances, senders, databaseUrl };
}

/** Of each server that leads are stored on. */
export function serverUrls({ citus, databaseUrl }: World): string[] {
  return citus?.cluster.servers.map((server) => server.url(citus.database)) ?? [databaseUrl()];
}

/** The other instances start when the senders exist, so that they know them from the start. */
async function populate(instances: readonly Instance[], senderCount: number): Promise<Sender[]> {
  const [first, ...others] = instances as [Instance, ...Instance[]];
  await started(first);
  const senders: Sender[] = [];
  for (let number = 0; number < senderCount; number++)
    senders.push(await createSender(first.port, `chaos-${number}`));
  await Promise.all(others.map(started));
  return senders;
}

async function started(instance: Instance): Promise<void> {
  instance.start();
  if (!(await instance.untilReady(readyMsMax))) throw new Error('The service did not start');
}

/** Undoes every fault. What was killed permanently on purpose stays down. */
export async function heal({ proxy, postgres, pair, citus, instances }: World): Promise<void> {
  postgres.freeze('SIGCONT');
  for (const instance of instances) instance.freeze('SIGCONT');
  await postgres.start();
  await proxy.set({ kind: 'pass' });
  await pair?.heal();
  await citus?.heal();
}

export async function tearDown({ proxy, pair, citus, delivery, instances }: World): Promise<void> {
  await Promise.all(instances.map((instance) => instance.terminate()));
  await proxy.close();
  await pair?.close();
  await citus?.close();
  await delivery?.close();
}
