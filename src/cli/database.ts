import { existsSync } from 'node:fs';
import type pg from 'pg';
import type { Config } from '../config.ts';
import { noResponseText, refusalText } from '../db/connection-problem.ts';
import { clusterExists } from '../db/embedded/cluster.ts';
import { EmbeddedError, InUseError } from '../db/embedded/error.ts';
import {
  clusterDirOf,
  type EmbeddedPostgres,
  runningServerUrl,
  startEmbeddedPostgres,
} from '../db/embedded/server.ts';
import { isReadOnly, MigrationError, NoPrimaryError } from '../db/errors.ts';
import { openPool } from '../db/pool.ts';
import { isUnavailable } from '../db/unavailable.ts';
import { createLogger } from '../telemetry/logger.ts';
import { CliError } from './exit.ts';

export function hasCluster({ dataDir }: Config): boolean {
  return existsSync(dataDir) && clusterExists(clusterDirOf(dataDir));
}

/**
 * Runs work on the configured database: that of DATABASE_URL, the embedded one of a running service, or the embedded one
 * started just for this work.
 */
export async function withDatabase<T>(
  config: Config,
  work: (pool: pg.Pool, databaseUrl: string) => Promise<T>,
): Promise<T> {
  const embedded = config.databaseUrl === null ? await startUnlessRunning(config.dataDir) : null;
  const url = config.databaseUrl ?? embedded?.url ?? runningServerUrl(config.dataDir);
  const pool = openPool(url, 2, createLogger('silent'));
  try {
    return await work(pool, url);
  } finally {
    await pool.end();
    await embedded?.stop();
  }
}

/** What a person can fix becomes a message; anything else stays the same. */
export function databaseError(error: unknown): unknown {
  const { message } = error as Error;
  if (error instanceof NoPrimaryError)
    return new CliError(
      isReadOnly(error) ? 'failure' : 'unreachable',
      `PostgreSQL is not usable: ${message}.`,
    );
  if (isReadOnly(error))
    return new CliError(
      'failure',
      'The server is a standby or read-only. Point DATABASE_URL at the primary.',
    );
  if (error instanceof MigrationError) return new CliError('failure', message);
  const refusal = refusalText(error);
  if (refusal !== null) return new CliError('usage', refusal);
  return isUnavailable(error) ? new CliError('unreachable', noResponseText(error as Error)) : error;
}

async function startUnlessRunning(dataDir: string): Promise<EmbeddedPostgres | null> {
  try {
    return await startEmbeddedPostgres({ dataDir, log: () => {} });
  } catch (error) {
    if (error instanceof InUseError) return null;
    throw error instanceof EmbeddedError ? new CliError('failure', error.message) : error;
  }
}
