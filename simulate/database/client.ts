import { Locations } from '../../src/db/citus/nodes/locations.ts';
import { ReadOnlyError } from '../../src/db/errors.ts';
import type {
  DirectoryListener,
  FlushPart,
  IngestDatabase,
  IngestNode,
  LaneConnection,
} from '../../src/db/ingest/ingest-database.ts';
import { shardOf } from '../../src/domain/workspace.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { nodeOfCluster, type Way } from '../cluster/cluster-client.ts';
import type { Life } from '../life.ts';
import { Connection } from './connection.ts';
import type { DatabaseServer } from './database-server.ts';
import type { Statement } from './server.ts';

export interface SimulatedIngest extends IngestDatabase {
  /** Finds out which servers store leads. */
  locate(): Promise<void>;
}

const poolTimeoutMs = 5_000;
const mapTimeoutMs = 2_000;

/** The database as one process sees it. Replaces what `pg` and src/db do with connections and timeouts. */
export function databaseOf(
  server: DatabaseServer,
  cluster: Cluster | null,
  life: Life,
  deadlineMs: number,
): SimulatedIngest {
  const { tables, directory } = server;
  const send = <T>(statement: Statement<T>, timeoutMs = poolTimeoutMs) =>
    new Connection(server, life).ask<T>((asker) => server.send(statement, asker), timeoutMs);
  const once = <T>(name: string, work: () => T, timeoutMs?: number) => send({ name, work }, timeoutMs);
  /** On a cluster, the coordinator needs the node that has the rows. */
  const onShard = <T>(shard: number, name: string, work: () => T) =>
    cluster === null
      ? once(name, work)
      : new Connection(server, life).ask<T>(
          (asker) => server.relay({ name, work }, () => cluster.serverOf(shard), asker),
          poolTimeoutMs,
        );
  const alone = aloneOf(server, life, deadlineMs);
  const way: Way = { server, life, deadlineMs };
  const locations = new Locations({
    alone,
    readMap: async () => (cluster === null ? null : once('map', () => cluster.map, mapTimeoutMs)),
    isDelegated: cluster?.isDelegated === true,
    openNode: (view) => nodeOfCluster(cluster as Cluster, way, view),
  });
  const parts = new Map<IngestNode | null, FlushPart>();
  return {
    nodeOf: (shard) => locations.nodeOf(shard),
    bucketOf: (shard) => locations.bucketOf(shard),
    probeShard: (shard) => locations.probeShard(shard),
    locate: () => locations.locate(),
    quarantine: (lead, reason, refusal, at) =>
      onShard(lead.shard, 'quarantine', () => tables.quarantineLead(lead, reason, refusal, new Date(at))),
    readDirectory: (since) => once('directory', () => directory.changesSince(since)),
    readDirectoryRevision: () => once('directory', () => directory.revision),
    openListener: (hooks) => listenerOf(server, life, hooks),
    flushPartOf: (shard) => {
      // On one server everything is written together.
      const node = shard === null ? alone : locations.nodeOf(shard);
      const known = parts.get(node);
      if (known !== undefined) return known;
      const part: FlushPart = {
        apply: (instanceId, sequence, now, flush) => {
          const apply = () => tables.applyFlush(instanceId, sequence, now, flush);
          const workspaceId = flush.counts[0]?.workspaceId;
          return workspaceId === undefined || node === alone
            ? once('flush', apply)
            : onShard(shardOf(workspaceId), 'flush', apply);
        },
      };
      parts.set(node, part);
      return part;
    },
    hold: (held, missed, room) => {
      const hold = () => tables.hold(held, missed, room);
      const shard = held[0]?.shard ?? missed[0]?.shard ?? 0;
      return onShard(shard, 'hold', hold);
    },
    readHeldBytes: () => once('held bytes', () => tables.held.bytes),
  };
}

/** A server whose tables are not distributed. */
function aloneOf(server: DatabaseServer, life: Life, deadlineMs: number): IngestNode {
  const { tables } = server;
  const once = <T>(name: string, work: () => T, timeoutMs = poolTimeoutMs) =>
    new Connection(server, life).ask<T>((asker) => server.send({ name, work }, asker), timeoutMs);
  return {
    address: null,
    openLane: () => laneOf(server, life, deadlineMs),
    probe: () =>
      once('probe', () => undefined, deadlineMs).then(() => {
        if (server.faults.has('read-only')) throw new ReadOnlyError();
      }),
    drain: (leads) => once('drain', () => tables.storeSpooled(leads)),
    findOriginals: (sought, now, onSent) => {
      onSent();
      return once('originals', () => tables.findOriginals(sought, now));
    },
  };
}

/** Like CommitConnection. */
function laneOf(server: DatabaseServer, life: Life, deadlineMs: number): LaneConnection {
  return {
    commit: (leads, options) =>
      new Connection(server, life).ask(
        (asker) =>
          server.send(
            {
              name: options.isRetry ? 'commit again' : 'commit',
              work: () => server.tables.ingestCommit(leads, options),
            },
            asker,
          ),
        deadlineMs,
      ),
    async close() {},
  };
}

function listenerOf(
  server: DatabaseServer,
  life: Life,
  { onChange, onEnd }: Parameters<IngestDatabase['openListener']>[0],
): DirectoryListener {
  let close = () => {};
  const ready = new Connection(server, life)
    .ask<undefined>(
      (asker) => server.send({ name: 'directory', work: () => undefined }, asker),
      poolTimeoutMs,
    )
    .then(() => {
      const unlisten = server.listen(() => {
        if (!life.isOver) onChange();
      });
      const disconnect = server.connect(() => {
        close();
        if (!life.isOver) onEnd();
      });
      close = () => {
        unlisten();
        disconnect();
      };
      life.onEnd(close);
    });
  return { ready, close: () => close() };
}
