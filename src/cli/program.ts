import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { newCommand } from './command.ts';
import { commands } from './commands.ts';
import { exitCodes } from './exit.ts';
import { safeText } from './terminal/safe-text.ts';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));

export function createProgram(): Command {
  const program = newCommand('leadgate', 'Run Leadgate and manage a running service.', [
    'start',
    'workspace list',
    'tail --since 10m',
  ])
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print JSON')
    .option('--key-file <path>', 'a file with the key; default: LEADGATE_KEY or OPERATOR_KEY')
    .addHelpText('after', `\nExit codes:\n${exitCodeLines()}`);
  for (const make of commands) program.addCommand(make());
  forEachCommand(program, (command) => {
    // Nobody has to remember which word a group uses.
    if (command.name() === 'get') command.alias('show');
    if (command.name() === 'show') command.alias('get');
    // Commander would exit by itself, and with 1 for every usage error.
    command
      .exitOverride()
      .helpOption('-h, --help', 'show this help')
      .helpCommand(false)
      .configureOutput({ writeErr: (text) => process.stderr.write(safeText(text)) });
  });
  return program;
}

export function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const inner of command.commands) forEachCommand(inner, visit);
}

function exitCodeLines(): string {
  return Object.values(exitCodes)
    .map(({ code, text }) => `  ${code}  ${text}`)
    .join('\n');
}
