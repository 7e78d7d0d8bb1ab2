import type { Logger } from 'pino';
import { type Config, hostInUrl } from '../config.ts';
import { DirectorySnapshot } from '../db/directory/directory-snapshot.ts';
import { postgresIngest } from '../db/ingest/postgres-ingest.ts';
import { readPrints } from '../db/live/workspace-prints.ts';
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
import { leadActions } from '../manage/live/changes.ts';
import { Live } from '../manage/live/live.ts';
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
import { watchHealth } from './instance-health.ts';

export interface ServiceDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Resolves to the folder of the built settings area; null when this process does not serve it. */
  readonly webApp: Promise<string | null>;
  /** The same for the documentation. */
  readonly docsSite: Promise<string | null>;
  /** Replaced in tests, which must not use the network. Only an argument can replace it. */
  readonly egress?: Egress;
  /** Shorter in tests. */
  readonly readerLimits?: Partial<ReaderLimits>;
  /** Replaced in tests of a thread that crashes. */
  readonly heavyWorker?: URL;
  /** Lower in tests: the real cost is high on purpose. */
  readonly passwordCost?: PasswordCost;
}

export interface Service {
  readonly url: string;
  readonly isDatabaseReady: boolean;
  /** Resolves when the database is ready. */
  readonly databaseReady: Promise<void>;
  /** True in an empty database. */
  wantsStarter(): Promise<boolean>;
  /** Creates a first workspace, form and token in an empty database; null when it is not empty. */
  createStarter(): Promise<Starter | null>;
  /** A link that creates the first account; null when there is one. */
  createSetupLink(): Promise<string | null>;
  /** Accepts no more requests, answers those in progress, flushes, and disconnects from the database. */
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
        'webhook secret cannot be decrypted, so its form rejects webhooks: check ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS with leadgate doctor',
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
    const health = watchHealth({ config, pool, clock, metrics, plane });
    stops.add(() => health.stop());
    const events = new SecurityEvents({ pool, clock, log });
    stops.add(() => events.stop());
    const live = new Live({
      clock,
      log,
      readPrints: (workspaceId) => readPrints(pool, workspaceId, { now: clock.now(), leadActions }),
      readSessions: (ids) => accounts.readSessionsAgain(ids),
    });
    metrics.watchStreams(() => live.streams);
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
      live,
      metrics,
      health,
      sync,
      plane,
      directory,
      url: () => url,
      // A process that accepts no leads itself refers to the public URL.
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
    // The listener waits for open responses, so streams end before it.
    stops.add(
      () => listener.stop(),
      () => live.stop(),
    );
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
      wantsStarter: async () =>
        (await listWorkspaces(pool, { personId: null }, { after: null, limit: 1 })).length === 0,
      createStarter: () => createStarter({ pool, clock, log, secretBox, directoryChanged }),
      stop: () => stops.run(),
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

/** Stops everything in reverse order of its start. */
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
      await step().catch((error) => this.#log.warn({ err: error }, 'shutdown step failed'));
    }
  }
}
