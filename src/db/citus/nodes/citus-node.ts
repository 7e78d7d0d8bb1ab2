import { sql } from 'kysely';
import type pg from 'pg';
import { durable } from '../../durability.ts';
import { createPool } from '../../hosts/clients.ts';
import { CommitConnection } from '../../ingest/commit-connection.ts';
import { findLivingKey } from '../../ingest/idempotency-keys.ts';
import {
  type CommitException,
  type CommitOptions,
  ingestCommitOnNode,
  type StorableLead,
} from '../../ingest/ingest-commit.ts';
import type { IngestNode } from '../../ingest/ingest-database.ts';
import { type DrainException, ingestDrainOnNode, type SpooledLead } from '../../ingest/ingest-drain.ts';
import { Probe } from '../../ingest/probe.ts';
import type { BucketPlace } from './bucket-map.ts';
import { placed } from './placed.ts';

export interface CitusNodeDeps {
  readonly groupId: number;
  /** Where this node is now: its own address, or that of the coordinator, which delegates to it. */
  readonly databaseUrl: () => string;
  readonly address: () => string;
  /** The coordinator's connections, when it delegates. */
  readonly pool: pg.Pool | null;
  readonly deadlineMs: number;
  readonly placeOf: (shard: number) => BucketPlace;
  /** The shards of this node. */
  readonly shards: () => readonly number[];
  /** Reads again where the shards are. */
  readonly locate: () => Promise<void>;
}

/** A drain, the lookup of a key, and a probe. */
const sideConnectionsMax = 3;
const idleMs = 10_000;
const statementTimeoutMs = 30_000;

/** A node of a Citus cluster. */
export class CitusNode implements IngestNode {
  readonly #deps: CitusNodeDeps;
  readonly #probe: Probe;
  /** For everything but commits. Opened when first needed, for the address that the node has then. */
  #own: { readonly url: string; readonly pool: pg.Pool } | null = null;

  constructor(deps: CitusNodeDeps) {
    this.#deps = deps;
    this.#probe = new Probe({
      databaseUrl: deps.databaseUrl,
      timeoutMs: deps.deadlineMs,
      commit: () => commitOnNode(deps.shards()[0] ?? 0, []),
    });
  }

  get address(): string {
    return this.#deps.address();
  }

  openLane(): CommitConnection {
    const { databaseUrl, deadlineMs } = this.#deps;
    return new CommitConnection({
      databaseUrl,
      deadlineMs,
      commit: (client, leads, options) => this.#commit(client, leads, options),
    });
  }

  /** The node may have got another address, such as that of its standby. */
  async probe(): Promise<void> {
    await this.#deps.locate().catch(() => {});
    await this.#probe.run();
  }

  async probeShard(shard: number): Promise<void> {
    const { bucket } = this.#deps.placeOf(shard);
    const probe = new Probe({
      databaseUrl: this.#deps.databaseUrl,
      timeoutMs: this.#deps.deadlineMs,
      commit: () => commitOnNode(shard, [bucket]),
    });
    await probe.run();
  }

  drain(leads: readonly SpooledLead[]): Promise<DrainException[]> {
    return placed<SpooledLead, DrainException>(leads, {
      ...this.#placing,
      send: (sorted, ends) => ingestDrainOnNode(this.pool, sorted, ends),
      misplaced: (place, outcome) => ({ place, outcome }),
    });
  }

  findLivingKey(workspaceId: string, keyHash: Buffer, now: number, onSent: () => void) {
    return findLivingKey(this.pool, workspaceId, keyHash, now, onSent);
  }

  get pool(): pg.Pool {
    const { pool, databaseUrl } = this.#deps;
    if (pool !== null) return pool;
    const url = databaseUrl();
    if (this.#own?.url !== url) {
      void this.#own?.pool.end();
      this.#own = { url, pool: openSidePool(url) };
    }
    return this.#own.pool;
  }

  async close(): Promise<void> {
    await this.#own?.pool.end();
  }

  #commit(client: pg.Client, leads: readonly StorableLead[], options: CommitOptions) {
    return placed<StorableLead, CommitException>(leads, {
      ...this.#placing,
      send: (sorted, ends) => ingestCommitOnNode(client, sorted, ends, options),
      misplaced: (place, outcome) => ({ place, outcome, submissionId: null, sameBody: null }),
    });
  }

  get #placing() {
    const { placeOf, groupId, locate } = this.#deps;
    return {
      bucketOf: (shard: number) => placeOf(shard).bucket,
      isElsewhere: async (shards: readonly number[]) => {
        const before = shards.map((shard) => placeOf(shard).bucket);
        await locate();
        // A split keeps the node and replaces the bucket.
        return shards.some((shard, i) => {
          const { groupId: group, bucket } = placeOf(shard);
          return group !== groupId || bucket !== before[i];
        });
      },
    };
  }
}

function commitOnNode(shard: number, buckets: readonly number[]) {
  return sql<{ isReadOnly: boolean }>`select probe_node(${shard}, ${[...buckets]}::bigint[]) as "isReadOnly"`;
}

function openSidePool(url: string): pg.Pool {
  const pool = createPool({
    databaseUrl: durable(url),
    application_name: 'leadgate node',
    max: sideConnectionsMax,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: 5_000,
    statement_timeout: statementTimeoutMs,
    keepAlive: true,
  });
  // Lost connections are noticed by whoever uses the next one.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}
