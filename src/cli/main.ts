import { CommanderError } from 'commander';
import { exitCodes } from './exit.ts';
import { createProgram } from './program.ts';
import { reasonOf, sentenceOf } from './report.ts';

// Whoever reads the output may leave before its end, as head does; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(exitCodes.ok.code);
  end(error);
});
// Where nobody listens, notes are not needed.
process.stderr.on('error', () => {});

try {
  await createProgram().parseAsync();
} catch (error) {
  // Commander has already said what it has to say: 0 after a help or a version.
  if (error instanceof CommanderError)
    process.exitCode = error.exitCode === 0 ? exitCodes.ok.code : exitCodes.usage.code;
  else end(error as Error);
}

/** Whatever is still open, such as a connection, ends with it, but not before everything is written. */
function end(error: Error): void {
  process.exitCode = exitCodes[reasonOf(error)].code;
  process.stderr.write(`${sentenceOf(error)}\n`, () => {
    if (process.stdout.writableNeedDrain) process.stdout.once('drain', () => process.exit());
    else process.exit();
  });
}
