import { runMigrations as migrateJobs } from 'graphile-worker';
import { sql } from 'kysely';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { refuseNode } from './citus/checks.ts';
import { readCluster } from './citus/cluster.ts';
import { type DistributeOptions, type Distribution, distribute } from './citus/distribute.ts';
import { createClient } from './hosts/clients.ts';
import { migrationsDir } from './pending-migrations.ts';
import { run } from './sql.ts';

// An arbitrary number that nothing else uses.
const lockKey = 7_241_905_331;

const connectTimeoutMs = 5_000;

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
  options: DistributeOptions = { isCopying: false, tell: () => {} },
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
    const applied = await runner({
      dbClient: client,
      dir: migrationsDir,
      direction: 'up',
      migrationsTable: 'migrations',
      noLock: true,
      log: () => {},
    });
    return {
      applied: applied.map(({ name }) => name),
      distribution: cluster === null ? null : await distribute(client, cluster, options),
    };
  } finally {
    // Closing the connection releases the lock.
    await client.end().catch(() => {});
  }
}
