import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import type { TestProject } from 'vitest/node';
import { undoAll } from '../../../bench/undo.ts';
import { CitusCluster, closeConnections } from '../../../chaos/world/citus/cluster.ts';
import { citusEngine } from '../../../chaos/world/citus/engine.ts';
import { findCitus, notInstalled } from '../../../chaos/world/citus/installation.ts';
import { databaseUser } from '../../../src/db/embedded/cluster.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { openPool } from '../../../src/db/pool.ts';
import { makeRunFolder } from '../scratch.ts';
import { templateDatabase } from './postgres.ts';

const nodeCount = 2;

/** One real Citus cluster for the whole run, in place of the server of `postgres.ts`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const binaries = findCitus();
  if (binaries === null) throw new Error(notInstalled);
  const folder = makeRunFolder();
  // The account of the servers must be able to enter it.
  chmodSync(folder.path, 0o711);
  project.provide('runFolder', folder.path);
  const dir = join(folder.path, 'cluster');
  mkdirSync(dir, { mode: 0o711 });
  const cluster = await CitusCluster.create(
    dir,
    nodeCount,
    citusEngine(binaries, { fsync: 'off', 'citus.enable_unsafe_triggers': 'on' }),
  );
  await makeTemplate(cluster);
  // Where a test connects to that needs no schema.
  for (const server of cluster.servers) await server.createDatabase('leadgate');
  project.provide('serverUrl', cluster.coordinator.url('leadgate'));
  // Changes of nodes, which outages are made of, demand it.
  project.provide('ownerRole', databaseUser);
  project.provide(
    'nodeUrls',
    cluster.nodes.map((node) => node.url('leadgate')),
  );
  return async () => {
    await cluster.stop();
    await undoAll();
    folder.remove();
  };
}

/** Migrated and distributed by the service's own code, on all servers. */
async function makeTemplate(cluster: CitusCluster): Promise<void> {
  await cluster.createDatabase(templateDatabase);
  const url = cluster.url(templateDatabase);
  const pool = openPool(url, 2, pino({ level: 'silent' }));
  await migrate(url, pool);
  await pool.end();
  for (const server of cluster.servers) {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    await client.connect();
    await closeConnections(client, templateDatabase);
    await client.end();
  }
}
