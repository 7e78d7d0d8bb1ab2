import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { IngestHost } from '../../ingest/siblings/ingest-host.ts';
import { createLogger } from '../../telemetry/logger.ts';
import { say } from '../../telemetry/terminal.ts';
import type { Clock } from '../../time/clock.ts';
import type { SharedPort } from '../host.ts';
import { aborted, startDatabase, stopWhenTold, surviveErrors } from '../process/process-life.ts';
import { explainStartError } from '../process/start-error.ts';
import { Supervisor } from './supervisor.ts';

const portMsMax = 2_000;
const portPauseMs = 100;

/** Several workers on one port: start → wait → stop in reverse order. The database outlives the workers. */
export async function runSupervisor(config: Config, clock: Clock): Promise<void> {
  const log = createLogger(config.logLevel);
  surviveErrors(log);
  const stopping = stopWhenTold(clock);
  const socketDir = mkdtempSync(join(tmpdir(), 'leadgate-'));
  try {
    const sharedPort = await sharePort(config, clock);
    const database = await startDatabase(config, log);
    const supervisor = new Supervisor({
      workerCount: config.workers,
      databaseUrl: config.databaseUrl ?? (database?.url as string),
      sharedPort,
      socketDir,
      parts: [new IngestHost({ spoolBytesMax: config.spoolBytesMax, clock })],
      clock,
      log,
      onRestart: () => {},
    });
    process.on('SIGUSR2', () => void supervisor.rollingRestart());
    try {
      const stopped = aborted(stopping);
      await Promise.race([supervisor.start(), stopped]);
      await stopped;
      say('Stopping.');
    } finally {
      await supervisor.stop();
      await database?.stop();
    }
  } catch (error) {
    throw explainStartError(error, config);
  } finally {
    rmSync(socketDir, { recursive: true, force: true });
  }
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
