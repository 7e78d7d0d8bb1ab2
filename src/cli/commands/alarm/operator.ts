import type { Command } from 'commander';
import { CliError } from '../../exit.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';

export interface OperatorOption extends WorkspaceOption {
  readonly operator?: boolean;
}

/** For commands about the alarms of a workspace or, for operators, those of the instance. */
export function orOfInstance(command: Command): Command {
  return inWorkspace(command).option('--operator', 'alarms of the whole instance; needs the operator key');
}

/** Alarms of the instance belong to no workspace. */
export function isOfInstance({ operator, ...others }: OperatorOption & Readonly<Record<string, unknown>>) {
  const given = Object.keys(others).filter((name) => others[name] !== undefined);
  if (operator && given.length > 0)
    throw new CliError('usage', `--operator cannot be combined with --${given.join(' or --')}.`);
  return operator === true;
}
