import { runMigrations as migrateJobs } from 'graphile-worker';
import { sql } from 'kysely';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { refuseNode } from './citus/checks.ts';
import { type Cluster, readCluster } from './citus/cluster.ts';
import {
  type DistributeOptions,
  type Distribution,
  type DistributionStep,
  distribute,
} from './citus/distribute.ts';
import { explained } from './citus/distribution-error.ts';
import { isAnswered, isPassing, MigrationError } from './errors.ts';
import { createClient } from './hosts/clients.ts';
import { migrationsDir, pendingMigrations } from './pending-migrations.ts';
import { run } from './sql.ts';

// An arbitrary number that nothing else uses.
const lockKey = 7_241_905_331;

const connectTimeoutMs = 5_000;

export type MigrationStep =
  | { readonly kind: 'applied'; readonly names: readonly string[] }
  | DistributionStep;

export interface MigrateOptions extends DistributeOptions {
  readonly tell: (step: MigrationStep) => void;
}

export interface Migrated {
  /** The names of the migrations that were applied. */
  readonly applied: readonly string[];
  /** Null on plain PostgreSQL. */
  readonly distribution: Distribution | null;
}

/**
 * Brings the schema up to date and, on a Citus coordinator, distributes the hot tables. Instances that start at the same
 * time wait for each other, however long it takes.
 */
export async function migrate(
  databaseUrl: string,
  pool: pg.Pool,
  options: MigrateOptions = { isAtStart: true, tell: () => {} },
): Promise<Migrated> {
  const client = createClient({
    databaseUrl,
    application_name: 'leadgate migrate',
    connectionTimeoutMillis: connectTimeoutMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    await run(client, sql`select pg_advisory_lock(${lockKey})`);
    const cluster = await readCluster(client);
    if (cluster === null) return { applied: await applyAll(client, pool, options), distribution: null };
    refuseNode(cluster);
    return await migrateCluster(client, pool, cluster, options);
  } finally {
    // Closing the connection releases the lock.
    await client.end().catch(() => {});
  }
}

async function migrateCluster(
  client: pg.Client,
  pool: pg.Pool,
  cluster: Cluster,
  options: MigrateOptions,
): Promise<Migrated> {
  try {
    // One connection per node: a migration may change a distributed table and a function in one transaction.
    await run(client, sql`select set_config('citus.multi_shard_modify_mode', 'sequential', false)`);
    const applied = await applyAll(client, pool, options);
    return { applied, distribution: await distribute(client, cluster, options) };
  } catch (error) {
    throw explained(error);
  }
}

/** Returns the names of the migrations that were not applied yet. */
async function applyAll(client: pg.Client, pool: pg.Pool, { tell }: MigrateOptions): Promise<string[]> {
  await named(migrateJobs({ pgPool: pool }), async () => 'of graphile-worker');
  const all = runner({
    dbClient: client,
    dir: migrationsDir,
    direction: 'up',
    migrationsTable: 'migrations',
    noLock: true,
    log: () => {},
  });
  const migrations = await named(all, async () => (await pendingMigrations(pool))[0] ?? '');
  const names = migrations.map(({ name }) => name);
  tell({ kind: 'applied', names });
  return names;
}

/** Turns a refusal of PostgreSQL into an error that names the migration; an outage stays what it is. */
async function named<T>(work: Promise<T>, nameOf: () => Promise<string>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isAnswered(error) && !isPassing(error) ? new MigrationError(await nameOf(), error) : error;
  }
}
