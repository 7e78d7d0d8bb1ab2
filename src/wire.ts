import type { IncomingMessage, ServerResponse } from 'node:http';
import { availableParallelism } from 'node:os';
import { getRequestListener } from '@hono/node-server';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { openPool } from './db/pool.ts';
import { loadScoringData } from './domain/score/data.ts';
import { RepeatMemory } from './domain/score/repeat-memory.ts';
import { createScorer } from './domain/score/scorer.ts';
import { SecretBox } from './domain/secret-box.ts';
import { Enrichment } from './enrich/worker.ts';
import { listen } from './http/listener.ts';
import { Diagnostics } from './ingest/diagnostics.ts';
import { Directory } from './ingest/directory.ts';
import { DirectorySync } from './ingest/directory-sync.ts';
import { GroupCommit } from './ingest/group-commit.ts';
import { headerReader } from './ingest/headers.ts';
import { Housekeeping } from './ingest/housekeeping.ts';
import { createIngest } from './ingest/ingest.ts';
import { createManagement } from './manage/management.ts';
import { createStarter, type Starter } from './manage/starter.ts';
import { Metrics } from './telemetry/metrics.ts';
import { createOperations, listenForMetrics } from './telemetry/operations.ts';

export interface ServiceDeps {
  readonly config: Config;
  readonly databaseUrl: string;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface Service {
  readonly url: string;
  /** Makes something to start with in an empty database; null when it is not empty. */
  createStarter(): Promise<Starter | null>;
  /** Takes nothing new, answers what it has taken, flushes, and lets go of the database. */
  stop(): Promise<void>;
}

const poolConnectionsMax = 10;
// A second commit in flight needs a core of its own; on two cores PostgreSQL already shares one with everything else.
const laneCount = availableParallelism() > 2 ? 2 : 1;

/** The composition root: every long-lived object is built here, once, and stopped here, in reverse order. */
export async function startService({ config, databaseUrl, clock, log }: ServiceDeps): Promise<Service> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of stops.toReversed()) {
      // A part that fails to stop must not keep the others running.
      await step().catch((error) =>
        log.warn({ err: error }, 'a part of the service did not stop as it should'),
      );
    }
  };
  const has = (role: Config['role']) => config.role === 'all' || config.role === role;
  const pool = openPool(databaseUrl, poolConnectionsMax, log);
  stops.push(() => pool.end());
  try {
    await migrate(pool);
    const scorer = createScorer(loadScoringData());
    const secretBox = new SecretBox(config.encryptionKey);
    const directory = new Directory(secretBox, (formId) =>
      log.error(
        { form_id: formId },
        'a webhook secret does not decrypt: is ENCRYPTION_KEY the one it was made with?',
      ),
    );
    const sync = new DirectorySync({ directory, pool, databaseUrl, clock, log });
    const metrics: Metrics = new Metrics({
      queueDepth: () => groupCommit.depth,
      directoryAgeMs: () => sync.ageMs,
    });
    const groupCommit = new GroupCommit({ databaseUrl, laneCount, clock, log, meter: metrics });
    const diagnostics = new Diagnostics({ pool, clock, log });
    stops.push(() => sync.stop());
    await sync.start();

    if (has('enrich')) {
      const enrichment = new Enrichment({ pool, clock, log, isBusy: () => groupCommit.isBusy });
      stops.push(() => enrichment.stop());
      enrichment.start();
    }
    if (has('ingest')) {
      const housekeeping = new Housekeeping({ pool, clock, log });
      stops.push(
        () => housekeeping.stop(),
        () => diagnostics.stop(),
        () => groupCommit.stop(),
      );
      diagnostics.start();
      housekeeping.start();
    }
    const readHeaders = headerReader(config.headerPrefix);
    const onOutcome = metrics.onOutcome.bind(metrics);
    const ingest = has('ingest')
      ? createIngest({
          directory,
          groupCommit,
          diagnostics,
          scorer,
          repeats: new RepeatMemory(),
          readHeaders,
          pool,
          clock,
          log,
          onOutcome,
        })
      : null;
    const rest = createRest({
      config,
      pool,
      clock,
      log,
      secretBox,
      metrics,
      sync,
      url: () => url,
      isManaging: has('manage'),
    });
    const listener = await listen(config.host, config.port, {
      ingest,
      rest,
      onMalformed: () => {
        diagnostics.unreadable('encoding_unsupported');
        onOutcome('server', 'encoding_unsupported');
      },
    });
    stops.push(() => listener.stop());
    const url = config.publicUrl ?? `http://${hostInUrl(config.host)}:${listener.port}`;
    if (config.metricsPort !== null) {
      const metricsListener = await listenForMetrics(config.host, config.metricsPort, metrics);
      stops.push(() => metricsListener.stop());
    }
    const directoryChanged = () => sync.refresh();
    return {
      url,
      createStarter: () => createStarter({ pool, clock, log, secretBox, directoryChanged }),
      stop,
    };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  }
}

interface RestDeps extends Omit<ServiceDeps, 'databaseUrl'> {
  readonly pool: pg.Pool;
  readonly secretBox: SecretBox;
  readonly metrics: Metrics;
  readonly sync: DirectorySync;
  readonly url: () => string;
  readonly isManaging: boolean;
}

/** Everything on the port that is not a lead: health, metrics and the management API. */
function createRest({ config, pool, clock, log, secretBox, metrics, sync, url, isManaging }: RestDeps) {
  const operations = createOperations({
    metrics,
    operatorKey: config.operatorKey,
    notReady: () => notReady(pool, sync),
  });
  const management = createManagement({
    pool,
    clock,
    secretBox,
    operatorKey: config.operatorKey,
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

const directoryAgeMsMax = 5_000;

async function notReady(pool: pg.Pool, sync: DirectorySync): Promise<string | null> {
  if (sync.ageMs > directoryAgeMsMax) return 'the directory is stale: PostgreSQL does not answer';
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
