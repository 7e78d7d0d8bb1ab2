import type { Command } from 'commander';
import { newCommand } from '../../command.ts';
import { CliError } from '../../exit.ts';

export const helpCommand = () =>
  newCommand('help', 'Show the help of a command.', ['help', 'help lead export'])
    .argument('[command...]', 'the full name of the command')
    .action((names: readonly string[], _options: object, command: Command) => {
      let found = command.parent as Command;
      for (const [place, name] of names.entries()) {
        const inner = found.commands.find((other) => other.name() === name || other.aliases().includes(name));
        if (inner === undefined) {
          const known = ['leadgate', ...names.slice(0, place)].join(' ');
          throw new CliError('usage', `${known} has no command ${name}. Try: ${known} --help`);
        }
        found = inner;
      }
      found.outputHelp();
    });
