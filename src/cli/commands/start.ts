import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newCommand } from '../command.ts';
import { CliError } from '../exit.ts';

const root = join(import.meta.dirname, '../../..');

export const startCommand = () =>
  newCommand('start', 'Start the service, as npm start does; Ctrl-C stops it.', [
    'start',
    'doctor && leadgate start',
  ]).action(() => {
    if (process.execve === undefined)
      throw new CliError('failure', 'This system cannot replace a process: use npm start.');
    // This process becomes the service, so that signals and exit codes are the service's own.
    process.execve(process.execPath, [process.execPath, ...startArguments()]);
  });

/** What npm start passes to Node. */
function startArguments(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const words = (scripts.start as string).split(' ').slice(1);
  return words.map((word) => (word.startsWith('-') ? word : join(root, word)));
}
