import type { Command } from 'commander';
import { CliError } from './exit.ts';

export interface WorkspaceOption {
  readonly workspace?: string;
}

/** For commands about things in a workspace. */
export function inWorkspace(command: Command): Command {
  return command.option('-w, --workspace <name or id>', 'the workspace; not needed when there is only one');
}

/** A number of things, from 1 on. */
export function countOption(name: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new CliError('usage', `${name} takes a number from 1.`);
  return Number(text);
}
