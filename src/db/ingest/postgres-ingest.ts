import type pg from 'pg';
import type { MintCountPart } from '../browser/mint-counts.ts';
import { readBucketMap } from '../citus/nodes/bucket-map.ts';
import { CitusNode } from '../citus/nodes/citus-node.ts';
import { Locations } from '../citus/nodes/locations.ts';
import type { CitusRoute } from '../citus/route.ts';
import { FlushParts } from '../diagnostics/flush-parts.ts';
import { directoryChannel, readDirectoryChanges, readDirectoryRevision } from '../directory/directory.ts';
import { readHeldBytes } from '../held/held-usage.ts';
import { hold } from '../held/hold.ts';
import { abandon } from '../hosts/abandon.ts';
import { createClient, createPool } from '../hosts/clients.ts';
import { keyHolderName, nameKeyHolder } from '../keys/key-holders.ts';
import type { DirectoryListener, IngestDatabase, ListenerHooks } from './ingest-database.ts';
import { postgresNode } from './postgres-node.ts';
import { quarantineLead } from './spool-quarantine.ts';

export interface PostgresIngestDeps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  /** The longest a commit may take. */
  readonly deadlineMs: number;
  readonly citusRoute: CitusRoute;
  /** The id of the key that this instance encrypts with. */
  readonly keyId: string;
}

/** With what its owner has to do. */
export interface PostgresIngest extends IngestDatabase {
  /** Finds out which servers store leads. */
  locate(): Promise<void>;
  /** Where what web pages do is counted, for a shard. The place of a shard may change. */
  mintCountPartOf(shard: number): MintCountPart;
  close(): Promise<void>;
}

const directoryTimeoutMs = 5_000;
const heldIdleMs = 10_000;
const heldTimeoutMs = 10_000;

/** PostgreSQL, as the data plane sees it. */
export function postgresIngest(deps: PostgresIngestDeps): PostgresIngest {
  const { databaseUrl, pool, deadlineMs, citusRoute: route } = deps;
  const isDistributed = async () => {
    await locations.locate();
    return locations.isDistributed;
  };
  const alone = postgresNode({ databaseUrl, pool, deadlineMs, isDistributed });
  const locations = new Locations({
    alone,
    readMap: () => readBucketMap(pool),
    isDelegated: route === 'coordinator',
    openNode: (view) => new CitusNode({ databaseUrl, pool, route, deadlineMs }, view),
  });
  const nodeOf = (shard: number) => locations.nodeOf(shard);
  const flushParts = new FlushParts({ pool, alone, nodeOf, bucketOf: (shard) => locations.bucketOf(shard) });
  const heldPool = openHeldPool(databaseUrl);
  return {
    nodeOf,
    bucketOf: (shard) => locations.bucketOf(shard),
    probeShard: (shard) => locations.probeShard(shard),
    locate: () => locations.locate(),
    async close() {
      await heldPool.end();
      await locations.close();
    },
    quarantine: (lead, reason, refusal, at) => quarantineLead(pool, lead, reason, refusal, new Date(at)),
    readDirectory: (since) => readDirectoryChanges(pool, since),
    readDirectoryRevision: () => readDirectoryRevision(pool, directoryTimeoutMs),
    openListener: (hooks) => openListener(deps, hooks),
    flushPartOf: (shard) => flushParts.of(shard),
    mintCountPartOf: (shard) => flushParts.of(shard),
    hold: (held, missed, room) => hold(heldPool, held, missed, room),
    readHeldBytes: () => readHeldBytes(heldPool),
  };
}

/** One connection of its own: rejected requests are large, and nothing else may wait behind them. */
function openHeldPool(databaseUrl: string): pg.Pool {
  const pool = createPool({
    databaseUrl,
    application_name: 'leadgate held',
    max: 1,
    idleTimeoutMillis: heldIdleMs,
    connectionTimeoutMillis: heldTimeoutMs,
    statement_timeout: heldTimeoutMs,
    query_timeout: heldTimeoutMs,
    keepAlive: true,
  });
  // Lost connections are noticed by whoever uses the next one.
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function openListener({ databaseUrl, keyId }: PostgresIngestDeps, hooks: ListenerHooks): DirectoryListener {
  const client = createClient({
    databaseUrl,
    application_name: keyHolderName(keyId),
    connectionTimeoutMillis: directoryTimeoutMs,
    query_timeout: directoryTimeoutMs,
    keepAlive: true,
  });
  client.on('error', hooks.onEnd).on('end', hooks.onEnd).on('notification', hooks.onChange);
  const open = async () => {
    await client.connect();
    // The URL of the database may contain another application name, which would override ours.
    await nameKeyHolder(client, keyId);
    await client.query(`listen ${directoryChannel}`);
  };
  return { ready: open(), close: () => abandon(client) };
}
