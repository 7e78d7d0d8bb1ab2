import type { Command } from 'commander';
import { CliError } from '../exit.ts';
import { askYesOrNo, isInteractive } from './prompt.ts';
import { printable } from './safe-text.ts';

export interface ConfirmOption {
  readonly yes?: boolean;
}

/** For commands that cannot be undone. */
export function withConfirmation(command: Command): Command {
  return command.option('-y, --yes', 'do not ask for confirmation; required without a terminal');
}

/** Asks for confirmation unless --yes was given. Without a terminal it refuses. */
export async function confirm({ yes }: ConfirmOption, question: string): Promise<void> {
  if (yes === true) return;
  if (!isInteractive())
    throw new CliError(
      'usage',
      `${printable(question)} There is no terminal to ask on: add --yes to confirm.`,
    );
  if (!(await askYesOrNo(printable(question))))
    throw new CliError('failure', 'Cancelled. Nothing was changed.');
}
