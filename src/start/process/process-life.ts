import type { Logger } from 'pino';
import { type ExitReason, exitCodes } from '../../cli/exit.ts';
import { type Config, readParent } from '../../config.ts';
import { ConfigError } from '../../config-error.ts';
import { EmbeddedError, InUseError } from '../../db/embedded/error.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../db/embedded/server.ts';
import { MigrationError } from '../../db/errors.ts';
import { say } from '../../telemetry/terminal.ts';
import type { Clock } from '../../time/clock.ts';
import { createParentWatch } from './parent-watch.ts';
import { explainStartError, StartError, UnreachableError, WorkerStartError } from './start-error.ts';
import { onSignal } from './stay-alive.ts';

const parentPollMs = 200;

/** An unhandled error in one part must not stop the others. */
export function surviveErrors(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled promise rejection'));
}

/** Aborted by a signal, also by one that came earlier, or when a process exits that this one must not outlive. */
export async function stopWhenTold(clock: Clock): Promise<AbortSignal> {
  const stopping = new AbortController();
  const isParentGone = createParentWatch(readParent());
  const watch = clock.repeat(() => isParentGone() && stopping.abort(), { pauseMs: parentPollMs });
  stopping.signal.addEventListener('abort', () => void watch.stop());
  // The listeners stay: Ctrl-C comes from the terminal and again from npm, and a second signal without a listener
  // would end the process before its database.
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) onSignal(name, () => stopping.abort());
  // Node passes a signal on when it is idle, which it was not while it loaded the code.
  await clock.turn();
  return stopping.signal;
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** The embedded server; null when the configuration names another. */
export async function startDatabase(config: Config, log: Logger): Promise<EmbeddedPostgres | null> {
  if (config.databaseUrl !== null) return null;
  try {
    const { dataDir } = config;
    return await startEmbeddedPostgres({ dataDir, log: (line) => log.debug(line), onProgress: say });
  } catch (error) {
    throw explainStartError(error, config);
  }
}

/** Prints the error and sets the exit code that the command line uses for it. */
export function fail(error: unknown): void {
  if (error instanceof WorkerStartError) {
    if (!error.isExplained) process.stderr.write(`${error.message}\n`);
    process.exitCode = error.exitCode;
    return;
  }
  process.exitCode = exitCodes[reasonOf(error)].code;
  // A connection that was refused halfway would stay open until the server closes it.
  process.stderr.write(`${explain(error as Error)}\n`, () => process.exit());
}

function reasonOf(error: unknown): ExitReason {
  if (error instanceof ConfigError) return 'usage';
  if (error instanceof UnreachableError) return 'unreachable';
  return error instanceof StartError || error instanceof InUseError ? 'conflict' : 'failure';
}

/** Errors that the operator can fix are one sentence. Others come with their stack. */
function explain(error: Error): string {
  const isFixable = [ConfigError, EmbeddedError, MigrationError, StartError].some(
    (kind) => error instanceof kind,
  );
  return isFixable ? error.message : String(error.stack);
}
