import type { Command } from 'commander';
import { lookAtConfig } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';

export const migrateCommand = () =>
  newCommand('migrate', 'Update the database schema, as every start of the service does.', [
    'migrate',
    'migrate --json',
  ]).action(async (_options: object, command: Command) => {
    const out = outputOf(command);
    // Loaded here, so that other commands do not wait for it.
    const { migrateDatabase } = await import('../migrate-database.ts');
    const applied = await migrateDatabase(lookAtConfig());
    for (const name of applied) out.note(`applied ${name}`);
    out.result(
      { applied },
      applied.length === 0 ? 'The schema is up to date.' : `Applied ${counted(applied.length)}.`,
    );
  });

function counted(migrations: number): string {
  return migrations === 1 ? '1 migration' : `${migrations} migrations`;
}
