import { enableCompileCache } from 'node:module';
import { CommanderError } from 'commander';
import type { HostedCommand } from './warm-command-line.ts';

/**
 * Runs commands one after the other in a process that has already loaded the command line, like src/cli/main.ts does. After
 * each command, it writes a mark to both streams; the mark on standard output contains the exit code.
 */
enableCompileCache('node_modules/.cache/leadgate');
const { exitCodes } = await import('../../../src/cli/exit.ts');
const { createProgram } = await import('../../../src/cli/program.ts');
const { reasonOf, sentenceOf } = await import('../../../src/cli/report.ts');
const root = process.cwd();

process.on('disconnect', () => process.exit());
process.on('message', async ({ words, env, cwd }: HostedCommand) => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd ?? root);
  process.exitCode = undefined;
  try {
    await createProgram().parseAsync(words, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : exitCodes.usage.code;
    else {
      process.exitCode = exitCodes[reasonOf(error as Error)].code;
      process.stderr.write(`${sentenceOf(error as Error)}\n`);
    }
  }
  process.stderr.write('\0');
  process.stdout.write(`\0${process.exitCode ?? 0}\0`);
});
