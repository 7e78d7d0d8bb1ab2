import type { Command } from 'commander';

export interface WorkspaceOption {
  readonly workspace?: string;
}

/** For commands about things in a workspace. */
export function inWorkspace(command: Command): Command {
  return command.option('-w, --workspace <name or id>', 'the workspace; not needed when there is only one');
}
