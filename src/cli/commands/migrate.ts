import type { Command } from 'commander';
import { migrate } from '../../db/migrate.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { newCommand, outputOf } from '../command.ts';
import { lookAtConfig, withDatabase } from '../database.ts';
import { CliError } from '../exit.ts';

export const migrateCommand = () =>
  newCommand('migrate', 'Bring the schema of the database up to date, as each start of the service does.', [
    'migrate',
    'migrate --json',
  ]).action(async (_options: object, command: Command) => {
    const out = outputOf(command);
    const applied = await withDatabase(lookAtConfig(), (pool, url) => migrate(url, pool)).catch(explain);
    for (const name of applied) out.note(`applied ${name}`);
    out.result(
      { applied },
      applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.length}.`,
    );
  });

function explain(error: Error): never {
  if (!isUnavailable(error)) throw error;
  throw new CliError('unreachable', `PostgreSQL does not answer: ${error.message || 'no connection'}`);
}
