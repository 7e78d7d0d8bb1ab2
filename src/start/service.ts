import type { Logger } from 'pino';
import { type Config, hostInUrl } from '../config.ts';
import { DirectorySnapshot } from '../db/directory/directory-snapshot.ts';
import { postgresIngest } from '../db/ingest/postgres-ingest.ts';
import { openPool } from '../db/pool.ts';
import { listWorkspaces } from '../db/workspaces/workspaces.ts';
import { realDisk } from '../disk/real-disk.ts';
import { BodyHashes } from '../domain/lead/body-hash.ts';
import { SubmissionIds } from '../domain/lead/submission-id.ts';
import { loadScoringData } from '../domain/score/data.ts';
import { createScorer } from '../domain/score/scorer.ts';
import { deriveIdRoot } from '../domain/secrets/id-root.ts';
import { SecretBox } from '../domain/secrets/secret-box.ts';
import { Enrichment } from '../enrich/enrichment.ts';
import { lookupProviderIds } from '../enrich/lookup/plan.ts';
import { type Egress, systemEgress } from '../enrich/net/egress.ts';
import { listen } from '../http/listener.ts';
import { Directory } from '../ingest/directory/directory.ts';
import { DirectorySync } from '../ingest/directory/directory-sync.ts';
import { IdRootReader } from '../ingest/directory/id-root-reader.ts';
import { Housekeeping } from '../ingest/housekeeping.ts';
import { Diagnostics } from '../ingest/outcomes/diagnostics.ts';
import { Accounts } from '../manage/accounts/accounts.ts';
import type { PasswordCost } from '../manage/accounts/passwords/password-hash.ts';
import { SecurityEvents } from '../manage/audit/events/security-events.ts';
import { createSetupLink } from '../manage/people/setup.ts';
import { createStarter, type Starter } from '../manage/workspaces/starter.ts';
import { watchClock } from '../telemetry/clock-watch.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { listenForMetrics } from '../telemetry/operations.ts';
import type { Clock } from '../time/clock.ts';
import { systemRandomness } from '../time/randomness.ts';
import { createControlPlane, type ReaderLimits, readerLimits } from './control-plane.ts';
import { createDataPlane } from './data-plane.ts';
import { DatabaseStart } from './database-start.ts';

export interface ServiceDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** The folder of the built settings area, once it is there; null when this service has none. */
  readonly webApp: Promise<string | null>;
  /** The folder of the built documentation, in the same way. */
  readonly docsSite: Promise<string | null>;
  /** For tests, which must not reach out: nothing but an argument can replace the real one. */
  readonly egress?: Egress;
  /** For tests, which should not wait as long as callers do. */
  readonly readerLimits?: Partial<ReaderLimits>;
  /** For tests of a thread that dies, in the same way. */
  readonly heavyWorker?: URL;
  /** For tests, in the same way: the real cost is meant to be felt. */
  readonly passwordCost?: PasswordCost;
}

export interface Service {
  readonly url: string;
  readonly isDatabaseReady: boolean;
  /** Resolves when the database is there and ready: at once, or whenever it comes. */
  readonly databaseReady: Promise<void>;
  /** True in an empty database. */
  wantsStarter(): Promise<boolean>;
  /** Makes something to start with in an empty database; null when it is not empty. */
  createStarter(): Promise<Starter | null>;
  /** A link that makes the first person; null when there is somebody already. */
  createSetupLink(): Promise<string | null>;
  /** Takes nothing new, answers what it has taken, flushes, and lets go of the database. */
  stop(): Promise<void>;
}

const poolConnectionsMax = 10;

/** The composition root: every long-lived object is built here, once, and stopped here, in reverse order. */
export async function startService(deps: ServiceDeps): Promise<Service> {
  const { config, databaseUrl, clock, log, webApp, docsSite } = deps;
  const randomness = systemRandomness;
  const stops = new Stops(log);
  const has = (role: Config['role']) => config.role === 'all' || config.role === role;
  const pool = openPool(databaseUrl, poolConnectionsMax, log);
  stops.add(() => pool.end());
  try {
    const scorer = createScorer(loadScoringData());
    const keys = [config.encryptionKey, ...config.previousEncryptionKeys] as const;
    const secretBox = new SecretBox(config.encryptionKey, config.previousEncryptionKeys);
    const root = deriveIdRoot(config.encryptionKey);
    const bodyHashes = new BodyHashes(root);
    const directory = new Directory(secretBox, (formId, why) =>
      log.error(
        { form_id: formId, why },
        'a webhook secret does not decrypt, so its form rejects webhooks: is ENCRYPTION_KEY or ENCRYPTION_KEY_PREVIOUS the key it was sealed with? See leadgate doctor',
      ),
    );
    const snapshot = new DirectorySnapshot(config.spoolDir, secretBox);
    const ids = new SubmissionIds(root, randomness);
    const idRoot = new IdRootReader({ followers: [ids, bodyHashes], secretBox, keys, log });
    const { keyId } = secretBox;
    const deadlineMs = config.commitDeadlineMs;
    const ingestDatabase = postgresIngest({ databaseUrl, pool, deadlineMs, keyId });
    const sync = new DirectorySync({ directory, idRoot, database: ingestDatabase, snapshot, clock, log });
    stops.add(() => sync.stop());
    const metrics = new Metrics({
      directoryAgeMs: () => sync.ageMs,
      clockLeapMs: () => clock.leapMs ?? 0,
      lookupProviders: lookupProviderIds,
    });
    stops.add(watchClock(clock, log));
    const diagnostics = new Diagnostics({
      database: ingestDatabase,
      clock,
      randomness,
      log,
      secretBox,
      bodyHashes,
    });
    const database = new DatabaseStart({ databaseUrl, pool, sync, keys, snapshot, log });
    const prepareDatabase = () => database.prepare();
    const plane = createDataPlane({
      config,
      database: ingestDatabase,
      disk: realDisk,
      directory,
      ids,
      scorer,
      diagnostics,
      metrics,
      clock,
      randomness,
      log,
      prepareDatabase,
      heavyWorker: deps.heavyWorker,
    });
    stops.add(() => plane.circuit.stop());
    await database.startWithOrWithout(plane.circuit, directory);

    if (has('enrich')) {
      const enrichment = new Enrichment({
        pool,
        clock,
        log,
        secretBox,
        isBusy: plane.isBusy,
        network: config.enrichNetwork,
        egress: deps.egress ?? systemEgress,
        headerPrefix: config.headerPrefix,
        onLookup: metrics.onLookup.bind(metrics),
      });
      stops.add(() => enrichment.stop());
      void database.ready.then(() => enrichment.start());
    }
    if (has('ingest')) {
      const housekeeping = new Housekeeping({ pool, clock, randomness, log });
      stops.add(
        () => housekeeping.stop(),
        () => diagnostics.stop(),
        () => plane.stop(),
      );
      await plane.start();
      diagnostics.start();
      housekeeping.start();
    }
    const { encryptionKey, previousEncryptionKeys } = config;
    const accounts = new Accounts({
      pool,
      clock,
      log,
      publicUrl: () => url,
      encryptionKey,
      previousEncryptionKeys,
      passwordCost: deps.passwordCost,
    });
    const events = new SecurityEvents({ pool, clock, log });
    stops.add(() => events.stop());
    const rest = createControlPlane({
      config,
      pool,
      clock,
      log,
      webApp,
      docsSite,
      secretBox,
      bodyHashes,
      accounts,
      events,
      metrics,
      sync,
      plane,
      directory,
      url: () => url,
      // A process that takes no leads itself sends them where everybody does.
      ingestUrl: () => (has('ingest') ? ownUrl : url),
      isManaging: has('manage'),
      readerLimits: { ...readerLimits, ...deps.readerLimits },
    });
    const listener = await listen(config.host, config.port, {
      ingest: has('ingest') ? plane.ingest : null,
      rest,
      clock,
      onMalformed: () => {
        diagnostics.unreadable('encoding_unsupported');
        metrics.onOutcome('server', 'encoding_unsupported');
      },
    });
    stops.add(() => listener.stop());
    const ownUrl = `http://${hostInUrl(config.host)}:${listener.port}`;
    const url = config.publicUrl ?? ownUrl;
    if (config.metricsPort !== null) {
      const metricsListener = await listenForMetrics(config.host, config.metricsPort, metrics);
      stops.add(() => metricsListener.stop());
    }
    const directoryChanged = () => sync.refresh();
    return {
      url,
      isDatabaseReady: database.isPrepared,
      databaseReady: database.ready,
      createSetupLink: () => createSetupLink({ pool, clock, publicUrl: () => url }),
      wantsStarter: async () => (await listWorkspaces(pool, null, { after: null, limit: 1 })).length === 0,
      createStarter: () => createStarter({ pool, clock, log, secretBox, directoryChanged }),
      stop: () => stops.run(),
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

/** What must be stopped, in reverse order of its start. */
class Stops {
  readonly #steps: (() => Promise<unknown>)[] = [];
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(...steps: (() => Promise<unknown>)[]): void {
    this.#steps.push(...steps);
  }

  async run(): Promise<void> {
    for (const step of this.#steps.toReversed()) {
      // A part that fails to stop must not keep the others running.
      await step().catch((error) =>
        this.#log.warn({ err: error }, 'a part of the service did not stop as it should'),
      );
    }
  }
}
