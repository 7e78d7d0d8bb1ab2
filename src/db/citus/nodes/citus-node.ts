import { sql } from 'kysely';
import type pg from 'pg';
import { durable } from '../../durability.ts';
import { createPool } from '../../hosts/clients.ts';
import { atHost, nameOf } from '../../hosts/database-url.ts';
import { CommitConnection } from '../../ingest/commit-connection.ts';
import {
  type CommitException,
  type CommitOptions,
  ingestCommitOnNode,
  notStored,
  type StorableLead,
} from '../../ingest/ingest-commit.ts';
import { type DrainException, ingestDrainOnNode, type SpooledLead } from '../../ingest/ingest-drain.ts';
import { Probe, type ProbeDeps } from '../../ingest/probe.ts';
import { findOriginals, type SoughtOriginal } from '../../ingest/stored-originals.ts';
import type { CitusRoute } from '../route.ts';
import { type BucketMap, readBucketMap } from './bucket-map.ts';
import { askNode, type ClusterNode, type NodeView, placingOf, probeNode } from './cluster-node.ts';
import { placed } from './placed.ts';

export interface CitusNodeDeps {
  /** Of the coordinator. */
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly route: CitusRoute;
  readonly deadlineMs: number;
}

const coordinatorGroup = 0;

/** A drain, a lookup of stored leads, and a probe. */
const sideConnectionsMax = 3;
const idleMs = 10_000;
const statementTimeoutMs = 30_000;

/** A node of a Citus cluster. */
export class CitusNode implements ClusterNode {
  readonly #deps: CitusNodeDeps;
  readonly #view: NodeView;
  readonly #probe: Probe;
  readonly #bucketProbes = new Map<number, Probe>();
  /** For everything but commits. Opened when first needed, for the address that the node has then. */
  #own: { readonly url: string; readonly pool: pg.Pool } | null = null;

  constructor(deps: CitusNodeDeps, view: NodeView) {
    this.#deps = deps;
    this.#view = view;
    this.#probe = this.#probing(() => this.#commitOnNode(view.shards()[0] ?? 0, []));
  }

  get address(): string {
    return nameOf(this.#view.place());
  }

  openLane(): CommitConnection {
    return new CommitConnection({
      databaseUrl: () => this.#url,
      deadlineMs: this.#deps.deadlineMs,
      commit: (client, leads, options) => this.#commit(client, leads, options),
    });
  }

  probe(): Promise<void> {
    return probeNode(this.#view, () => this.#probe.run());
  }

  /** One connection for all shards of a bucket: they are closed together. */
  probeShard(shard: number): Promise<void> {
    const { bucket } = this.#view.placeOf(shard);
    const known = this.#bucketProbes.get(bucket);
    const probe = known ?? this.#probing(() => this.#commitOnNode(shard, [bucket]));
    if (known === undefined) this.#bucketProbes.set(bucket, probe);
    return probe.run();
  }

  readMap(): Promise<BucketMap | null> {
    return readBucketMap(this.#pool);
  }

  drain(leads: readonly SpooledLead[]): Promise<DrainException[]> {
    const isDelegated = this.#isDelegated;
    return placed<SpooledLead, DrainException>(leads, {
      ...placingOf(this.#view),
      send: (sorted, ends) => ingestDrainOnNode(this.#pool, sorted, { ...ends, isDelegated }),
      misplaced: (place, outcome) => ({ place, outcome }),
    });
  }

  /** All of one shard, so that the statement runs on one node. */
  findOriginals(sought: readonly SoughtOriginal[], now: number, onSent: () => void) {
    return askNode(this.#view, () => findOriginals(this.#pool, sought, now, onSent));
  }

  async close(): Promise<void> {
    await this.#own?.pool.end();
  }

  #commit(client: pg.Client, leads: readonly StorableLead[], options: CommitOptions) {
    const isDelegated = this.#isDelegated;
    return placed<StorableLead, CommitException>(leads, {
      ...placingOf(this.#view),
      send: (sorted, ends) => ingestCommitOnNode(client, sorted, { ...ends, isDelegated }, options),
      misplaced: notStored,
    });
  }

  #commitOnNode(shard: number, buckets: readonly number[]) {
    // With a condition, Citus delegates no call.
    const here = this.#isDelegated ? sql`` : sql`where is_read_only is not null`;
    return sql<{ isReadOnly: boolean }>`select is_read_only as "isReadOnly"
      from probe_node(${shard}, ${[...buckets]}::bigint[]) as is_read_only ${here}`;
  }

  #probing(commit: NonNullable<ProbeDeps['commit']>): Probe {
    return new Probe({ databaseUrl: () => this.#url, timeoutMs: this.#deps.deadlineMs, commit });
  }

  get #isDelegated(): boolean {
    return this.#deps.route === 'coordinator';
  }

  /** The coordinator delegates, or is this node itself. */
  get #isThroughCoordinator(): boolean {
    return this.#isDelegated || this.#view.groupId === coordinatorGroup;
  }

  get #url(): string {
    const { databaseUrl } = this.#deps;
    if (this.#isThroughCoordinator) return databaseUrl;
    const { host, port } = this.#view.place();
    return atHost(databaseUrl, host, port);
  }

  get #pool(): pg.Pool {
    if (this.#isThroughCoordinator) return this.#deps.pool;
    const url = this.#url;
    if (this.#own?.url !== url) {
      void this.#own?.pool.end();
      this.#own = { url, pool: openSidePool(url) };
    }
    return this.#own.pool;
  }
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
