import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { DirectorySnapshot } from '../db/directory/directory-snapshot.ts';
import { learnedMs, readLearnedDomains, readLearnedRevision } from '../db/enrichment/learned-domains.ts';
import { connectionBudget } from '../db/hosts/connection-budget.ts';
import type { IngestDatabase } from '../db/ingest/ingest-database.ts';
import { postgresIngest } from '../db/ingest/postgres-ingest.ts';
import { openPool } from '../db/pool.ts';
import { realDisk } from '../disk/real-disk.ts';
import { BrowserSigningKeys } from '../domain/browser/signing-keys.ts';
import { BodyHashes } from '../domain/lead/body-hash.ts';
import { SubmissionIds } from '../domain/lead/submission-id.ts';
import { loadScoringData } from '../domain/score/data.ts';
import { createScorer } from '../domain/score/scorer.ts';
import { deriveIdRoot } from '../domain/secrets/id-root.ts';
import { SecretBox } from '../domain/secrets/secret-box.ts';
import { lookupProviderIds } from '../enrich/lookup/plan.ts';
import { Directory } from '../ingest/directory/directory.ts';
import { DirectorySync } from '../ingest/directory/directory-sync.ts';
import { IdRootReader } from '../ingest/directory/id-root-reader.ts';
import { LearnedDomains } from '../ingest/directory/learned-domains.ts';
import { HeldRequests } from '../ingest/held/held-requests.ts';
import { Diagnostics } from '../ingest/outcomes/diagnostics.ts';
import type { Egress } from '../net/egress.ts';
import { watchClock } from '../telemetry/clock-watch.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { Clock } from '../time/clock.ts';
import { systemRandomness } from '../time/randomness.ts';
import { createDataPlane, type DataPlane } from './data-plane.ts';
import { DatabaseStart } from './database-start.ts';
import { aloneOnHost, type Host } from './host.ts';
import { createMinting, type Minting } from './minting.ts';
import type { Stops } from './stops.ts';

export interface CommonPartsDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly host?: Host | undefined;
  /** Replaced in tests of a thread that crashes. */
  readonly heavyWorker?: URL | undefined;
  readonly egress?: Egress | undefined;
}

/** What every process has: a database, a directory in memory, and a data plane, whether it accepts leads or not. */
export interface CommonParts {
  readonly pool: pg.Pool;
  readonly secretBox: SecretBox;
  readonly browserKeys: BrowserSigningKeys;
  readonly bodyHashes: BodyHashes;
  readonly ids: SubmissionIds;
  readonly directory: Directory;
  readonly sync: DirectorySync;
  readonly metrics: Metrics;
  readonly held: HeldRequests;
  readonly diagnostics: Diagnostics;
  readonly database: DatabaseStart;
  readonly minting: Minting;
  readonly plane: DataPlane;
}

/** Builds them without starting anything, and registers how they are stopped. */
export function createCommonParts(deps: CommonPartsDeps, stops: Stops): CommonParts {
  const { config, databaseUrl, clock, log } = deps;
  const host = deps.host ?? aloneOnHost;
  const randomness = systemRandomness;
  const { poolConnectionsMax, laneCount } = connectionBudget(host.workerCount, host.isFirst);
  const pool = openPool(databaseUrl, poolConnectionsMax, log);
  stops.add(() => pool.end());
  const keys = [config.encryptionKey, ...config.previousEncryptionKeys] as const;
  const secretBox = new SecretBox(config.encryptionKey, config.previousEncryptionKeys);
  const browserKeys = new BrowserSigningKeys(config.encryptionKey, config.previousEncryptionKeys);
  const root = deriveIdRoot(config.encryptionKey);
  const bodyHashes = new BodyHashes(root);
  const directory = new Directory(secretBox, (formId, why) =>
    log.error(
      { form_id: formId, why },
      'secret of a form cannot be decrypted, so requests that need it are rejected: check ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS with leadgate doctor',
    ),
  );
  const snapshot = new DirectorySnapshot(config.spoolDir, secretBox);
  const ids = new SubmissionIds(root, randomness);
  const idRoot = new IdRootReader({ followers: [ids, bodyHashes], secretBox, keys, log });
  const { keyId } = secretBox;
  const deadlineMs = config.commitDeadlineMs;
  const { citusRoute } = config;
  const postgres = postgresIngest({ databaseUrl, pool, deadlineMs, citusRoute, keyId });
  stops.add(() => postgres.close());
  const ingestDatabase = listeningOnce(postgres, host);
  const isWritingSnapshots = host.isFirst;
  const sync = new DirectorySync({
    directory,
    idRoot,
    database: ingestDatabase,
    snapshot,
    isWritingSnapshots,
    clock,
    log,
  });
  stops.add(() => sync.stop());
  host.onChange(() => sync.refresh());
  const metrics = new Metrics({
    directoryAgeMs: () => sync.ageMs,
    clockLeapMs: () => clock.leapMs ?? 0,
    lookupProviders: lookupProviderIds,
  });
  stops.add(watchClock(clock, log));
  const held = new HeldRequests({
    database: ingestDatabase,
    directory,
    secretBox,
    bodyHashes,
    isOn: config.isHeldOn,
    bytesMax: config.heldBytesMax,
    meter: metrics.held,
    clock,
    randomness,
    log,
    link: host.link ?? undefined,
  });
  metrics.held.watch(() => held.waitingBytes);
  const diagnostics = new Diagnostics({
    database: ingestDatabase,
    clock,
    randomness,
    log,
    held,
    bodyHashes,
    link: host.link ?? undefined,
  });
  const database = new DatabaseStart({
    databaseUrl,
    pool,
    sync,
    keys,
    snapshot,
    isMigrating: host.isFirst,
    // A key of the environment may be that of a service that has lost its disk: it has senders, who send again.
    canWait: config.databaseUrl === null || config.hasOwnEncryptionKey,
    locate: () => postgres.locate(),
    log,
  });
  const minting = createMinting({
    config,
    keys: browserKeys,
    directory,
    mintCountPartOf: (shard) => postgres.mintCountPartOf(shard),
    metrics: metrics.browser,
    clock,
    randomness,
    log,
    egress: deps.egress,
    link: host.link ?? undefined,
  });
  const plane = createDataPlane({
    config,
    database: ingestDatabase,
    disk: realDisk,
    directory,
    ids,
    scorer: createScorer(loadScoringData()),
    diagnostics,
    metrics,
    browserKeys,
    browserCounts: minting.counts,
    clock,
    randomness,
    log,
    prepareDatabase: () => database.prepare(),
    heavyWorker: deps.heavyWorker,
    link: host.link ?? undefined,
    laneCount,
    mailServerOf: createLearnedDomains(deps, pool, database, stops),
  });
  stops.add(() => plane.circuits.stop());
  const inMemory = { directory, sync, metrics, held, diagnostics };
  return { pool, secretBox, browserKeys, bodyHashes, ids, ...inMemory, database, minting, plane };
}

/** Without lookups nothing is learned, and what was learned earlier no longer applies. */
function createLearnedDomains(
  { config, clock, log }: CommonPartsDeps,
  pool: pg.Pool,
  database: DatabaseStart,
  stops: Stops,
): ((domain: string) => string | null) | undefined {
  if (config.enrichNetwork === 'off') return;
  const learned = new LearnedDomains({
    readRevision: () => readLearnedRevision(pool),
    read: () => readLearnedDomains(pool, new Date(clock.now() - learnedMs)),
    clock,
    log,
  });
  stops.add(() => learned.stop());
  void database.ready.then(() => learned.start());
  return (domain) => learned.mailServerOf(domain);
}

/** One process of a host listens for changes to the directory and announces them to the others. */
function listeningOnce(database: IngestDatabase, host: Host): IngestDatabase {
  if (host.workerCount === 1) return database;
  if (!host.isFirst) return { ...database, openListener: () => ({ ready: Promise.resolve(), close() {} }) };
  return {
    ...database,
    openListener: ({ onChange, onEnd }) =>
      database.openListener({
        onEnd,
        onChange() {
          onChange();
          host.announceChange();
        },
      }),
  };
}
