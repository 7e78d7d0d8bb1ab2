import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { openPool } from './db/pool.ts';
import { isUnavailable } from './db/unavailable.ts';
import { score } from './domain/score/score.ts';
import { SecretBox } from './domain/secret-box.ts';
import { Enrichment } from './enrich/worker.ts';
import { listen } from './http/listener.ts';
import { Diagnostics } from './ingest/diagnostics.ts';
import { Directory } from './ingest/directory.ts';
import { DirectorySnapshot } from './ingest/directory-snapshot.ts';
import { DirectorySync } from './ingest/directory-sync.ts';
import { Housekeeping } from './ingest/housekeeping.ts';
import { Accounts } from './manage/accounts/accounts.ts';
import type { InstanceFigures } from './manage/deps.ts';
import { Mail } from './manage/mail.ts';
import { createManagement } from './manage/management.ts';
import { createSetupLink } from './manage/setup.ts';
import { createStarter, type Starter } from './manage/starter.ts';
import { Metrics } from './telemetry/metrics.ts';
import { createOperations, listenForMetrics } from './telemetry/operations.ts';
import { type DataPlane, wireDataPlane } from './wire-ingest.ts';

export interface ServiceDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Service {
  readonly url: string;
  readonly isDatabaseReady: boolean;
  /** Resolves when the database is there and ready: at once, or whenever it comes. */
  readonly databaseReady: Promise<void>;
  /** Makes something to start with in an empty database; null when it is not empty. */
  createStarter(): Promise<Starter | null>;
  /** A link that makes the first person; null when there is somebody already. */
  createSetupLink(): Promise<string | null>;
  /** Takes nothing new, answers what it has taken, flushes, and lets go of the database. */
  stop(): Promise<void>;
}

const poolConnectionsMax = 10;

/** The composition root: every long-lived object is built here, once, and stopped here, in reverse order. */
export async function startService({ config, databaseUrl, clock, log }: ServiceDeps): Promise<Service> {
  const stops = new Stops(log);
  const has = (role: Config['role']) => config.role === 'all' || config.role === role;
  const pool = openPool(databaseUrl, poolConnectionsMax, log);
  stops.add(() => pool.end());
  try {
    const secretBox = new SecretBox(config.encryptionKey);
    const directory = new Directory(secretBox, (formId) =>
      log.error(
        { form_id: formId },
        'a webhook secret does not decrypt: is ENCRYPTION_KEY the one it was made with?',
      ),
    );
    const snapshot = new DirectorySnapshot(config.spoolDir, secretBox);
    const sync = new DirectorySync({ directory, pool, databaseUrl, snapshot, clock, log });
    stops.add(() => sync.stop());
    const metrics = new Metrics({ directoryAgeMs: () => sync.ageMs });
    const diagnostics = new Diagnostics({ pool, clock, log });
    const database = new DatabaseStart(async () => {
      await migrate(databaseUrl, pool);
      await sync.start();
    });
    const prepareDatabase = () => database.prepare();
    const plane = wireDataPlane({
      config,
      databaseUrl,
      pool,
      directory,
      diagnostics,
      metrics,
      clock,
      log,
      prepareDatabase,
    });
    stops.add(() => plane.circuit.stop());
    await startWithOrWithoutDatabase(database, plane, sync);

    if (has('enrich')) {
      const enrichment = new Enrichment({ pool, clock, log, isBusy: plane.isBusy });
      stops.add(() => enrichment.stop());
      void database.ready.then(() => enrichment.start());
    }
    if (has('ingest')) {
      const housekeeping = new Housekeeping({ pool, clock, log });
      stops.add(
        () => housekeeping.stop(),
        () => diagnostics.stop(),
        () => plane.stop(),
      );
      await plane.start();
      diagnostics.start();
      housekeeping.start();
    }
    const { encryptionKey } = config;
    const accounts = new Accounts({ pool, clock, log, publicUrl: () => url, encryptionKey });
    const rest = createRest({
      config,
      pool,
      clock,
      log,
      secretBox,
      accounts,
      metrics,
      sync,
      plane,
      directory,
      url: () => url,
      isManaging: has('manage'),
    });
    const listener = await listen(config.host, config.port, {
      ingest: has('ingest') ? plane.ingest : null,
      rest,
      onMalformed: () => {
        diagnostics.unreadable('encoding_unsupported');
        metrics.onOutcome('server', 'encoding_unsupported');
      },
    });
    stops.add(() => listener.stop());
    const url = config.publicUrl ?? `http://${hostInUrl(config.host)}:${listener.port}`;
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

/** Prepares the database once, whenever it is there for the first time. */
class DatabaseStart {
  readonly ready: Promise<void>;
  readonly #work: () => Promise<void>;
  isPrepared = false;
  #onReady: () => void = () => {};

  constructor(work: () => Promise<void>) {
    this.#work = work;
    this.ready = new Promise((resolve) => {
      this.#onReady = resolve;
    });
  }

  async prepare(): Promise<void> {
    if (this.isPrepared) return;
    await this.#work();
    this.isPrepared = true;
    this.#onReady();
  }
}

/** A database that is away at the start does not keep the service from taking leads, if it knows its senders. */
async function startWithOrWithoutDatabase(
  database: DatabaseStart,
  { circuit }: DataPlane,
  sync: DirectorySync,
): Promise<void> {
  try {
    await database.prepare();
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    await sync.startFromSnapshot();
    circuit.trip(error);
  }
}

interface RestDeps extends Omit<ServiceDeps, 'databaseUrl'> {
  readonly pool: pg.Pool;
  readonly secretBox: SecretBox;
  readonly accounts: Accounts;
  readonly metrics: Metrics;
  readonly sync: DirectorySync;
  readonly plane: DataPlane;
  readonly directory: Directory;
  readonly url: () => string;
  readonly isManaging: boolean;
}

/** Everything on the port that is not a lead: health, metrics and the management API. */
function createRest(deps: RestDeps) {
  const { config, pool, clock, log, secretBox, accounts, metrics, sync, url, isManaging } = deps;
  const operations = createOperations({
    metrics,
    operatorKey: config.operatorKey,
    notReady: () => notReady(deps),
  });
  const management = createManagement({
    pool,
    clock,
    secretBox,
    score,
    operatorKey: config.operatorKey,
    accounts,
    mail: new Mail(config.smtp, log),
    proxyCount: config.proxyCount,
    instance: () => instanceFigures(deps),
    publicUrl: url,
    headerPrefix: config.headerPrefix,
    directoryChanged: () => sync.refresh(),
    log,
  });
  const serveManagement = getRequestListener(management.fetch);
  return (request: IncomingMessage, response: ServerResponse) => {
    if (operations(request, response)) return;
    if (isManaging) void serveManagement(request, response);
    else response.writeHead(404).end();
  };
}

function instanceFigures({ config, plane: { figures }, sync }: RestDeps): InstanceFigures {
  return {
    isDatabaseAvailable: figures.isDatabaseAvailable(),
    queueDepth: figures.queueDepth(),
    spoolLeads: figures.spoolLeads(),
    spoolBytes: figures.spoolBytes(),
    spoolBytesMax: config.spoolBytesMax,
    isSpoolUsable: figures.isSpoolUsable(),
    directoryAgeMs: sync.ageMs,
  };
}

/** Ready is whoever can do his work: a process that takes leads can while the spool takes them. */
async function notReady({ config, pool, plane, directory }: RestDeps): Promise<string | null> {
  const takesLeads = config.role === 'all' || config.role === 'ingest';
  if (takesLeads && !directory.isLoaded) return 'PostgreSQL does not answer, and no directory is known';
  if (takesLeads) return plane.isTaking() ? null : 'neither PostgreSQL nor the spool takes leads';
  return pool.query('select 1').then(
    () => null,
    () => 'PostgreSQL does not answer',
  );
}

/** What a person can open: a service that listens everywhere is reached by its loopback address. */
function hostInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
