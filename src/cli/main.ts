import { CommanderError } from 'commander';
import { exitCodes } from './exit.ts';
import { createProgram } from './program.ts';
import { reasonOf, sentenceOf } from './report.ts';

// The reader of the output may close it early, as head does. That is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok.code);
  end(error);
});
// Notes are not needed if nobody reads them.
process.stderr.on('error', () => {});

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already printed its message; the code is 0 after help or version.
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
  else end(error as Error);
}

/** Exits even with open connections, but only after all output is written. */
function end(error: Error): void {
  process.exitCode = exitCodes[reasonOf(error)].code;
  process.stderr.write(`${sentenceOf(error)}\n`, () => {
    if (process.stdout.writableNeedDrain) process.stdout.once('drain', () => process.exit());
    else process.exit();
  });
}
