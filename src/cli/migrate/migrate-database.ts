import type { Config } from '../../config.ts';
import { DistributionError, NodeAwayError } from '../../db/citus/distribution-error.ts';
import { type MigrationPlan, readPlan } from '../../db/citus/plan.ts';
import { type Migrated, type MigrationStep, migrate } from '../../db/migrate.ts';
import { databaseError, withDatabase } from '../database.ts';
import { CliError } from '../exit.ts';
import { MigrationProgress } from './progress.ts';

/** `say` gets a line per step. */
export function migrateDatabase(
  config: Config,
  buckets: number | undefined,
  say: (line: string) => void,
): Promise<Migrated> {
  return explained(
    withDatabase(config, (pool, url) => {
      const progress = new MigrationProgress(pool, say);
      const tell = (step: MigrationStep) => progress.tell(step);
      return migrate(url, pool, { buckets, isAtStart: false, tell }).finally(() => progress.end());
    }),
  );
}

/** What migrateDatabase would do. */
export function planMigration(config: Config): Promise<MigrationPlan> {
  return explained(withDatabase(config, (pool) => readPlan(pool)));
}

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof DistributionError)
      throw new CliError(error instanceof NodeAwayError ? 'unreachable' : 'failure', error.message);
    throw databaseError(error);
  }
}
