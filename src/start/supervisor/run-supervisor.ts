import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { IngestHost } from '../../ingest/siblings/ingest-host.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { listenForMetrics } from '../../telemetry/operations.ts';
import { say } from '../../telemetry/terminal.ts';
import type { Clock } from '../../time/clock.ts';
import type { SharedPort } from '../host.ts';
import { aborted, startDatabase, stopWhenTold, surviveErrors } from '../process/process-life.ts';
import { explainStartError } from '../process/start-error.ts';
import { onSignal } from '../process/stay-alive.ts';
import { HostMetrics } from './host-metrics.ts';
import { Supervisor } from './supervisor.ts';

const portMsMax = 2_000;
const portPauseMs = 100;

/** Several workers on one port: start → wait → stop in reverse order. The database outlives the workers. */
export async function runSupervisor(config: Config, clock: Clock): Promise<void> {
  const log = createLogger(config.logLevel);
  surviveErrors(log);
  const stopping = await stopWhenTold(clock);
  if (stopping.aborted) return;
  const socketDir = mkdtempSync(join(tmpdir(), 'leadgate-'));
  try {
    const sharedPort = await sharePort(config, clock);
    const database = await startDatabase(config, log);
    const metrics = new HostMetrics({ clock, workersConfigured: config.workers });
    const supervisor = new Supervisor({
      workerCount: config.workers,
      databaseUrl: config.databaseUrl ?? (database?.url as string),
      sharedPort,
      socketDir,
      parts: [metrics, new IngestHost({ spoolBytesMax: config.spoolBytesMax, clock })],
      clock,
      log,
      onRestart: () => metrics.restarted(),
    });
    onSignal('SIGUSR2', () => void supervisor.rollingRestart());
    let metricsListener: Awaited<ReturnType<typeof showMetrics>> = null;
    try {
      metricsListener = await showMetrics(config, metrics);
      const stopped = aborted(stopping);
      await Promise.race([supervisor.start(), stopped]);
      await stopped;
      say('Stopping.');
    } finally {
      await supervisor.stop();
      await metricsListener?.stop();
      await metrics.stop();
      await database?.stop();
    }
  } catch (error) {
    throw explainStartError(error, config);
  } finally {
    rmSync(socketDir, { recursive: true, force: true });
  }
}

/** The metrics of all workers, for scrapers that cannot send a token. */
async function showMetrics({ host, metricsPort }: Config, metrics: HostMetrics) {
  metrics.start();
  return metricsPort === null ? null : listenForMetrics(host, metricsPort, metrics);
}

/**
 * Workers open a port that others of the same user may open too, so a second service on it would silently get half of the
 * requests. Opening it alone first shows whether it is in use. Workers of a killed supervisor may need a moment to close it.
 */
async function sharePort({ host, port }: Config, clock: Clock): Promise<SharedPort> {
  const lastAt = clock.monotonic() + portMsMax;
  while (port !== 0) {
    const error = await tryToOpen({ host, port });
    if (error === null) break;
    if (error.code !== 'EADDRINUSE' || clock.monotonic() >= lastAt) throw error;
    await clock.sleep(portPauseMs);
  }
  return { port, isReused: (await tryToOpen({ host, port: 0, reusePort: true })) === null };
}

interface Opening {
  readonly host: string;
  readonly port: number;
  readonly reusePort?: boolean;
}

function tryToOpen(opening: Opening): Promise<NodeJS.ErrnoException | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', resolve).listen(opening, () => server.close(() => resolve(null)));
  });
}
