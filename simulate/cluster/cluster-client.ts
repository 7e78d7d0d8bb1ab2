import {
  askNode,
  type ClusterNode,
  type NodeView,
  placingOf,
  probeNode,
} from '../../src/db/citus/nodes/cluster-node.ts';
import { placed } from '../../src/db/citus/nodes/placed.ts';
import { ReadOnlyError } from '../../src/db/errors.ts';
import type { CommitException, CommitOptions, StorableLead } from '../../src/db/ingest/ingest-commit.ts';
import type { DrainException, SpooledLead } from '../../src/db/ingest/ingest-drain.ts';
import type { StoredOriginal } from '../../src/db/ingest/stored-originals.ts';
import { Connection } from '../database/connection.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import type { Asker, Server } from '../database/server.ts';
import type { Life } from '../life.ts';
import type { Cluster } from './cluster.ts';

/** How one process reaches the cluster. */
export interface Way {
  /** The coordinator. */
  readonly server: DatabaseServer;
  readonly life: Life;
  readonly deadlineMs: number;
}

/** A statement on the buckets of a node. */
interface BucketStatement<T> {
  readonly name: string;
  /** That of any of the rows: the coordinator sends the statement to the node that has it. */
  readonly shard: number;
  readonly buckets: readonly number[];
  readonly work: () => T;
}

const drainTimeoutMs = 5_000;
const mapTimeoutMs = 2_000;

/** Like CitusNode. */
export function nodeOfCluster(cluster: Cluster, way: Way, view: NodeView): ClusterNode {
  const { server: coordinator, life, deadlineMs } = way;
  const { tables } = coordinator;
  const own = cluster.nodes.get(view.groupId) as Server;
  const first = cluster.isDelegated ? coordinator : own;
  const ask = <T>({ name, shard, buckets, work }: BucketStatement<T>, timeoutMs: number) => {
    const serverNow = () => (cluster.isDelegated ? cluster.serverOf(shard) : own);
    const isBlocked = () => cluster.areClosed(buckets);
    const held = () => {
      cluster.hold(serverNow(), buckets);
      return work();
    };
    return new Connection(first, life).ask<T>(
      (asker) =>
        cluster.isDelegated
          ? coordinator.relay({ name, work: held, isBlocked }, serverNow, asker)
          : own.send({ name, work: held, isBlocked }, asker),
      timeoutMs,
    );
  };
  const probe = (shard: number, buckets: readonly number[]) =>
    ask({ name: 'probe', shard, buckets, work: () => undefined }, deadlineMs).then(() => {
      if (first.faults.has('read-only') || own.faults.has('read-only')) throw new ReadOnlyError();
    });
  return {
    address: `node:${view.groupId}`,
    openLane: () => ({
      commit: (leads, options) => commit(leads, options),
      async close() {},
    }),
    probe: () => probeNode(view, () => probe(view.shards()[0] ?? 0, [])),
    probeShard: (shard) => probe(shard, [view.placeOf(shard).bucket]),
    drain: (leads) =>
      placed<SpooledLead, DrainException>(leads, {
        ...placingOf(view),
        send: (sorted, { shard, buckets }) =>
          ask({ name: 'drain', shard, buckets, work: () => tables.storeSpooled(sorted) }, drainTimeoutMs),
        misplaced: (place, outcome) => ({ place, outcome }),
      }),
    findOriginals: async (sought, now, onSent) => {
      onSent();
      const found: StoredOriginal[] = [];
      for (const [place, one] of sought.entries()) {
        const work = () => tables.findOriginals([one], now).map((row) => ({ ...row, place }));
        // Citus finds the row, wherever it is.
        const serverNow = () => cluster.serverOf(one.shard);
        const find = (asker: Asker<StoredOriginal[]>) =>
          first.relay({ name: 'originals', work }, serverNow, asker);
        found.push(...(await askNode(view, () => new Connection(first, life).ask(find, drainTimeoutMs))));
      }
      return found;
    },
    readMap: () =>
      new Connection(own, life).ask(
        (asker) => own.send({ name: 'map', work: () => cluster.map }, asker),
        mapTimeoutMs,
      ),
    async close() {},
  };

  function commit(leads: readonly StorableLead[], options: CommitOptions): Promise<CommitException[]> {
    const name = options.isRetry ? 'commit again' : 'commit';
    return placed<StorableLead, CommitException>(leads, {
      ...placingOf(view),
      send: (sorted, { shard, buckets }) =>
        ask({ name, shard, buckets, work: () => tables.ingestCommit(sorted, options) }, deadlineMs),
      misplaced: (place, outcome) => ({ place, outcome, submissionId: null, sameBody: null }),
    });
  }
}
