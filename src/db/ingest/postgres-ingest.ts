import type pg from 'pg';
import { applyFlush } from '../diagnostics/outcomes.ts';
import { directoryChannel, readDirectoryChanges, readDirectoryRevision } from '../directory/directory.ts';
import { abandon } from '../hosts/abandon.ts';
import { createClient } from '../hosts/clients.ts';
import { keyHolderName, nameKeyHolder } from '../keys/key-holders.ts';
import { CommitConnection } from './commit-connection.ts';
import { findLivingKey } from './idempotency-keys.ts';
import type { DirectoryListener, IngestDatabase, ListenerHooks } from './ingest-database.ts';
import { ingestDrain } from './ingest-drain.ts';
import { Probe } from './probe.ts';
import { quarantineLead } from './spool-quarantine.ts';

export interface PostgresIngestDeps {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  /** The longest a commit may take. */
  readonly deadlineMs: number;
  /** The id of the key that this instance encrypts with. */
  readonly keyId: string;
}

const directoryTimeoutMs = 5_000;

/** PostgreSQL, as the data plane sees it. */
export function postgresIngest(deps: PostgresIngestDeps): IngestDatabase {
  const { databaseUrl, pool, deadlineMs } = deps;
  const probe = new Probe(databaseUrl, deadlineMs);
  return {
    openLane: () => new CommitConnection(databaseUrl, deadlineMs),
    probe: () => probe.run(),
    drain: (leads) => ingestDrain(pool, leads),
    quarantine: (lead, reason, refusal, at) => quarantineLead(pool, lead, reason, refusal, new Date(at)),
    findLivingKey: (workspaceId, keyHash, now, onSent) =>
      findLivingKey(pool, workspaceId, keyHash, now, onSent),
    readDirectory: (since) => readDirectoryChanges(pool, since),
    readDirectoryRevision: () => readDirectoryRevision(pool, directoryTimeoutMs),
    openListener: (hooks) => openListener(deps, hooks),
    applyFlush: (instanceId, sequence, now, flush) => applyFlush(pool, instanceId, sequence, now, flush),
  };
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
