import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { HeldDecision } from '../../../contract/held/decisions.ts';
import type { Api } from '../../api.ts';
import { CliError } from '../../exit.ts';
import { idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { type ConfirmOption, withConfirmation } from '../../terminal/confirm.ts';
import { ProgressBar } from '../../terminal/progress.ts';
import { type HeldFilterOptions, heldFilterOf, withHeldFilter } from './filter.ts';

export interface SelectionOptions extends WorkspaceOption, ConfirmOption, HeldFilterOptions {
  readonly all?: boolean;
  readonly dryRun?: boolean;
}

const pauseMs = 500;

/** For commands that decide about one, some or all. */
export function withSelection(command: Command): Command {
  return withHeldFilter(withConfirmation(inWorkspace(command)))
    .argument('[id...]', 'their IDs')
    .option('--all', 'all of them')
    .option('--dry-run', 'only count them');
}

/** Nobody decides about everything by leaving something out. */
export async function selectionOf(
  api: Api,
  workspaceId: string,
  ids: readonly string[],
  options: SelectionOptions,
) {
  const { form, reason, all } = options;
  const isFiltered = form !== undefined || reason !== undefined || options.class !== undefined;
  if (ids.length > 0 && (all || isFiltered))
    throw new CliError('usage', 'Name IDs, or select with --form, --reason, --class or --all, but not both.');
  if (ids.length === 0 && !all && !isFiltered)
    throw new CliError('usage', 'Name IDs, or select with --form, --reason or --class, or --all.');
  if (ids.length > 0) return { ids: ids.map((id) => idArgument('held submission ID', id)) };
  return heldFilterOf(api, workspaceId, options);
}

/** The service goes through the selection by itself; to stop watching does not stop it. */
export async function untilDecided(
  api: Api,
  workspaceId: string,
  decisionId: string,
  label: string,
): Promise<HeldDecision> {
  const bar = new ProgressBar(label);
  for (;;) {
    const decision = await api.call('GET', '/workspaces/:workspace_id/held/admissions/:decision_id', {
      params: { workspace_id: workspaceId, decision_id: decisionId },
    });
    if (decision.state !== 'running') {
      bar.end();
      return decision;
    }
    bar.show(decision.done, decision.total);
    await sleep(pauseMs);
  }
}
