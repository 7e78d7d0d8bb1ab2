import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { undoLater } from '../../../bench/undo.ts';
import { shardCount, shardOf } from '../../../src/domain/workspace.ts';
import type { Span } from '../../check/bystanders.ts';
import type { Postgres } from '../postgres.ts';
import { CitusCluster } from './cluster.ts';
import { citusEngine } from './engine.ts';
import { findCitus, notInstalled } from './installation.ts';

/** In each world, one instance per route: senders may meet both, and a key is the same on both. */
export const routes = ['direct', 'coordinator'] as const;

export type TransferMode = 'block_writes' | 'force_logical';

/** A bucket and the node that it is on. */
export interface Bucket {
  readonly id: number;
  readonly shards: readonly number[];
  readonly nodePort: number;
}

const nodeCount = 3;
const jobPollMs = 200;
/** Not in /tmp, which is often in memory, and not below the sources, which the account of the servers may be unable to enter. */
const base = '/var/tmp';

/** A cluster with the database of a scenario, treated as an operator would treat it. */
export class CitusWorld {
  readonly cluster: CitusCluster;
  readonly database: string;
  /** The part of the run before the faults, and each fault, for the comparison in the end. */
  quiet: Span | null = null;
  readonly faults: Span[] = [];
  readonly #remove: () => Promise<void>;

  private constructor(cluster: CitusCluster, database: string, remove: () => Promise<void>) {
    this.cluster = cluster;
    this.database = database;
    this.#remove = remove;
  }

  static async create(database: string): Promise<CitusWorld> {
    const binaries = findCitus();
    if (binaries === null) throw new Error(notInstalled);
    const dir = mkdtempSync(join(base, 'leadgate-citus-'));
    chmodSync(dir, 0o711);
    const remove = undoLater(async () => rmSync(dir, { recursive: true, force: true }));
    const cluster = await CitusCluster.create(dir, nodeCount, citusEngine(binaries));
    await cluster.createDatabase(database);
    return new CitusWorld(cluster, database, remove);
  }

  get url(): string {
    return this.cluster.url(this.database);
  }

  get kills(): number {
    return this.cluster.servers.reduce((sum, { kills }) => sum + kills, 0);
  }

  nodeAt(port: number): Postgres {
    return this.cluster.nodes.find((node) => node.port === port) as Postgres;
  }

  async buckets(): Promise<Bucket[]> {
    const rows = await this.#query(
      `select b.shardid::int as id, array_agg(shard) as shards, n.nodeport as "nodePort"
       from generate_series(0, ${shardCount - 1}) as shard
       join pg_dist_shard b on b.shardid = get_shard_id_for_distribution_column('buckets', shard::smallint)
       join pg_dist_placement p using (shardid) join pg_dist_node n using (groupid)
       group by 1, 3 order by 1`,
    );
    return rows as unknown as Bucket[];
  }

  /** The bucket of each workspace. */
  async places(workspaceIds: readonly string[]): Promise<Map<string, Bucket>> {
    const byShard = new Map(
      (await this.buckets()).flatMap((each) => each.shards.map((shard) => [shard, each])),
    );
    return new Map(workspaceIds.map((id) => [id, byShard.get(shardOf(id)) as Bucket]));
  }

  async move(bucket: Bucket, target: Postgres, mode: TransferMode): Promise<void> {
    await this.#query(
      `select citus_move_shard_placement(${bucket.id}, '127.0.0.1', ${bucket.nodePort}, '127.0.0.1', ${target.port}, '${mode}')`,
    );
  }

  async addNode(): Promise<Postgres> {
    const node = await this.cluster.startNode();
    await this.cluster.addNode(node, this.database);
    return node;
  }

  /** Spreads the buckets over all nodes. Returns when it is done. */
  async rebalance(mode: TransferMode): Promise<void> {
    await this.#query(`select citus_rebalance_start(shard_transfer_mode => '${mode}')`);
    for (;;) {
      const [job] = await this.#query(
        'select state from pg_dist_background_job order by job_id desc limit 1',
      );
      if (job?.state === 'finished') return;
      if (job?.state === 'failed' || job?.state === 'cancelled') throw new Error(`Rebalancing ${job.state}`);
      await sleep(jobPollMs);
    }
  }

  async heal(): Promise<void> {
    for (const server of this.cluster.servers) {
      server.freeze('SIGCONT');
      await server.start();
    }
  }

  async close(): Promise<void> {
    await this.cluster.stop();
    await this.#remove();
  }

  #query(sql: string): Promise<Record<string, unknown>[]> {
    return this.cluster.coordinator.query(sql, this.database);
  }
}
