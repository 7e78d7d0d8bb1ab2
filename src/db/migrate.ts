import { runMigrations as migrateJobs } from 'graphile-worker';
import { sql } from 'kysely';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { refuseNode } from './citus/checks.ts';
import { readCluster } from './citus/cluster.ts';
import {
  type DistributeOptions,
  type Distribution,
  type DistributionStep,
  distribute,
} from './citus/distribute.ts';
import { createClient } from './hosts/clients.ts';
import { migrationsDir } from './pending-migrations.ts';
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
    if (cluster !== null) refuseNode(cluster);
    await migrateJobs({ pgPool: pool });
    const migrations = await runner({
      dbClient: client,
      dir: migrationsDir,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      log: () => {},
    });
    const applied = migrations.map(({ name }) => name);
    options.tell({ kind: 'applied', names: applied });
    const distribution = cluster === null ? null : await distribute(client, cluster, options);
    return { applied, distribution };
  } finally {
    // Closing the connection releases the lock.
    await client.end().catch(() => {});
  }
}
