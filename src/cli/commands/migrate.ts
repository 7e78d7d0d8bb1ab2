import type { Command } from 'commander';
import { lookAtConfig } from '../../config.ts';
import { newCommand, outputOf } from '../command.ts';

interface Options {
  readonly buckets?: string;
  readonly check?: boolean;
}

export const migrateCommand = () =>
  newCommand(
    'migrate',
    'Update the database schema, as every start of the service does. On a Citus cluster, also distribute the tables of leads.',
    ['migrate', 'migrate --check', 'migrate --buckets 64', 'migrate --json'],
  )
    .option('--check', 'change nothing; say what would be done')
    .option(
      '--buckets <count>',
      'on a Citus cluster: the parts to distribute, 1, 2, 4, 8, 16, 32 or 64; four per node or more if not set',
    )
    .addHelpText(
      'after',
      '\nOn a Citus cluster, set DATABASE_URL to the coordinator. You can interrupt the command and run it again. See docs/citus.md.',
    )
    .action(async (options: Options, command: Command) => {
      const out = outputOf(command);
      // Loaded here, so that other commands do not wait for it.
      const { migrateDatabase, planMigration } = await import('../migrate/migrate-database.ts');
      const { adviceOf, bucketsOption, migratedText, planLines, planResult, planText } = await import(
        '../migrate/texts.ts'
      );
      const buckets = bucketsOption(options.buckets);
      const config = lookAtConfig();
      if (options.check) {
        const plan = await planMigration(config);
        const lines = planLines(plan, buckets);
        for (const line of lines) out.note(line);
        out.result(planResult(plan), planText(lines));
        return;
      }
      const { applied, distribution } = await migrateDatabase(config, buckets, (line) => out.note(line));
      const advice = adviceOf(distribution, buckets);
      if (advice !== null) out.note(advice);
      // On plain PostgreSQL there is nothing to say about a distribution.
      const result = distribution === null ? { applied } : { applied, distribution };
      out.result(result, migratedText(applied.length, distribution));
    });
