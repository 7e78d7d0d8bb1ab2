import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveTo } from '../../../src/db/embedded/account.ts';
import type { Binaries } from '../../../src/db/embedded/binaries.ts';
import { type Cluster, clusterPath, databaseUser, spawnOptions } from '../../../src/db/embedded/cluster.ts';
import type { Engine } from '../postgres.ts';

const settings = {
  shared_preload_libraries: 'citus',
  max_connections: '500',
  shared_buffers: '64MB',
  jit: 'off',
  // A transaction of several nodes is prepared on each of them.
  max_prepared_transactions: '500',
  // Citus has a process of its own in each database.
  max_worker_processes: '200',
  // A bucket that moves without blocking writes is copied by logical replication.
  wal_level: 'logical',
  max_replication_slots: '50',
  max_wal_senders: '50',
  // The servers reach each other on the loopback interface.
  'citus.node_conninfo': 'sslmode=disable',
  'citus.background_task_queue_interval': '500ms',
};

/** A server of a Citus cluster, from the programs that are installed on this machine. */
export function citusEngine(binaries: Binaries, more: Readonly<Record<string, string>> = {}): Engine {
  return { settings: { ...settings, ...more }, locate: async () => binaries, create };
}

/**
 * Sorts and folds text as the PostgreSQL of the service does. Older versions leave their working directory for a moment and
 * find it again by its path, so the account must be able to enter the folders above.
 */
async function create(cluster: Cluster, { initdb }: Binaries): Promise<void> {
  mkdirSync(dirname(cluster.dir), { recursive: true, mode: 0o711 });
  mkdirSync(cluster.dir, { mode: 0o700 });
  giveTo(cluster.dir, cluster.account);
  const options = [`--username=${databaseUser}`, '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8'];
  execFileSync(initdb, ['-D', clusterPath(cluster), ...options], {
    ...spawnOptions(cluster),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}
