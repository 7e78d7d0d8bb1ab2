import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { EmbeddedError } from '../db/embedded/error.ts';
import { CliError, exitCodes } from './exit.ts';
import { createProgram } from './program.ts';

// Whoever reads the output may leave before its end, as head does; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok.code);
  throw error;
});

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = report(error as Error);
}

/** What a person can mend is said in a sentence; anything else comes with its stack. */
function report(error: Error): number {
  // Commander has already said what it has to say: 0 after a help or a version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
  const isExpected =
    error instanceof CliError || error instanceof ConfigError || error instanceof EmbeddedError;
  process.stderr.write(`${isExpected ? error.message : error.stack}\n`);
  if (error instanceof CliError) return exitCodes[error.reason].code;
  return error instanceof ConfigError ? exitCodes.usage.code : exitCodes.failure.code;
}
