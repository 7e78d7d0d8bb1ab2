import type { Command } from 'commander';
import { CliError } from './exit.ts';

export interface WorkspaceOption {
  readonly workspace?: string;
}

/** For commands inside a workspace. */
export function inWorkspace(command: Command): Command {
  return command.option('-w, --workspace <name or id>', 'the workspace; not needed if there is only one');
}

/** A count, at least 1. */
export function countOption(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw new CliError('usage', `${name} must be a whole number, at least 1.`);
  return Number(text);
}

/** A number, such as 50 or 0.5. */
export function numberOption(name: string, text: string): number {
  if (!/^\d{1,6}(?:\.\d{1,3})?$/.test(text))
    throw new CliError('usage', `${name} must be a number, such as 50.`);
  return Number(text);
}
