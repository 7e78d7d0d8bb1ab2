import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { CitusCluster } from '../../chaos/world/citus/cluster.ts';
import { citusEngine } from '../../chaos/world/citus/engine.ts';
import { findCitus, notInstalled } from '../../chaos/world/citus/installation.ts';
import type { Binaries } from '../../src/db/embedded/binaries.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPool } from '../../src/db/pool.ts';
import { cpuOfAll, memoryOf } from '../cpu.ts';
import { countService } from '../kept.ts';
import { seedService } from '../seed.ts';
import { startServiceOn, workspaceCount } from '../targets/targets.ts';
import { runAndUndo, undoLater } from '../undo.ts';
import { compare, type Measurable, type Setup } from './compare.ts';

/*
 * Compares plain PostgreSQL with a cluster of the same version on the same machine, and clusters of different sizes under
 * a load in proportion. All servers share the cores of this machine, so a rate says little about more machines; processor
 * time per lead does.
 */

/** Not in /tmp, which is often in memory, and where the account of the servers may enter. */
const serversDir = '/var/tmp';
const bucketsPerNode = 4;
const name = 'leadgate';

interface Kind {
  readonly name: string;
  readonly nodes: number;
  readonly connections: number;
  readonly route: 'direct' | 'coordinator' | null;
}

function setupOf({ name: label, nodes, connections, route }: Kind, binaries: Binaries): Setup {
  return {
    name: label,
    connections,
    async start(scratchDir) {
      const dir = await mkdtemp(join(serversDir, 'leadgate-bench-'));
      await chmod(dir, 0o711);
      const removeDir = undoLater(() => rm(dir, { recursive: true, force: true }));
      const cluster = await CitusCluster.create(dir, nodes, citusEngine(binaries));
      if (route === null) await cluster.coordinator.createDatabase(name);
      else await cluster.createDatabase(name);
      const url = cluster.url(name);
      await prepare(url, nodes);
      const service = await startServiceOn(url, scratchDir, { CITUS_ROUTE: route ?? 'direct' });
      const { port, pid } = service;
      const pids = [pid, ...cluster.servers.map((server) => server.pid as number)];
      return {
        port,
        tokens: (await seedService(port, workspaceCount)).map(({ token }) => token),
        cpu: () => cpuOfAll(pids),
        memory: () => memoryOf([pid]),
        async finish() {
          await service.stop();
          const kept = await countService(url);
          await cluster.stop();
          await removeDir();
          return kept;
        },
      } satisfies Measurable;
    },
  };
}

/** As an operator would with `leadgate migrate`. */
async function prepare(url: string, nodes: number): Promise<void> {
  const pool = openPool(url, 2, pino({ level: 'silent' }));
  const buckets = Math.min(64, bucketsPerNode * Math.max(1, nodes));
  await migrate(url, pool, { buckets, isAtStart: false, tell: () => {} });
  await pool.end();
}

const { values } = parseArgs({
  options: {
    /** Routes: plain and both routes with two nodes. Growth: the direct route with these numbers of nodes. */
    compare: { type: 'string', default: 'routes' },
    nodes: { type: 'string', default: '1,2,4' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    connections: { type: 'string', default: '256' },
  },
});
const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number) as [
  number,
  number,
  number,
];
const routes: readonly Kind[] = [
  { name: 'plain PostgreSQL', nodes: 0, route: null, connections },
  { name: '2 nodes, direct', nodes: 2, route: 'direct', connections },
  { name: '2 nodes, coordinator', nodes: 2, route: 'coordinator', connections },
];
const growth = values.nodes.split(',').map((count): Kind => {
  const nodes = Number(count);
  return {
    name: `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, direct`,
    nodes,
    route: 'direct',
    connections: (connections / 2) * nodes,
  };
});
const binaries = findCitus();
if (binaries === null) process.stdout.write(`${notInstalled}\n`);
else {
  const kinds = values.compare === 'growth' ? growth : routes;
  const setups = kinds.map((kind) => setupOf(kind, binaries));
  process.exitCode = await runAndUndo(() => compare(setups, { rounds, seconds }));
}
