import { setTimeout as sleep } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { LeadAction, LeadSelectionInput } from '../../../contract/leads/actions.ts';
import { marks } from '../../../domain/lead/mark.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { ProgressBar } from '../../terminal/progress.ts';
import { type FilterOptions, filtered, wanted } from './filter.ts';

interface ActionOptions extends FilterOptions, ConfirmOption {
  readonly all?: boolean;
}

const pauseMs = 300;
const markChoices = [...marks, 'none'] as const;

export const markCommand = () =>
  withSelection(
    newCommand('mark', 'Mark leads as spam or not spam, or remove their marks.', [
      'lead mark spam 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'lead mark spam --form contact --verdict suspect --yes',
      `lead mark none --where '{"all":[{"field":"score","op":"gte","value":50}]}'`,
    ]).addArgument(new Argument('<mark>', 'the mark; none removes it').choices(markChoices)),
  )
    .addHelpText('after', '\nPrints the ID of the action, which `lead undo` takes back for 24 hours.')
    .action(
      async (mark: (typeof markChoices)[number], ids: string[], options: ActionOptions, command: Command) => {
        const { api, out } = sessionOf(command);
        const { workspace_id, body, count } = await selected(api, ids, options);
        const text =
          mark === 'none'
            ? `Remove the marks from ${count}`
            : `Mark ${count} as ${mark === 'spam' ? 'spam' : 'not spam'}`;
        // Marks of leads that were named can be undone; nobody has looked at all that match.
        if (ids.length === 0) await confirm(options, `${text}?`);
        const { id } = await api.call('POST', '/workspaces/:workspace_id/lead-actions/marks', {
          params: { workspace_id },
          body: { ...body, mark: mark === 'none' ? null : mark },
        });
        const done = await untilDone(api, workspace_id, id, 'Marking');
        const did = mark === 'none' ? 'Marks removed from' : 'Marked';
        out.result(
          done,
          `${did} ${done.changed} of ${countText(done.done)}. Undo with: leadgate lead undo ${id}`,
        );
      },
    );

export const eraseCommand = () =>
  withSelection(
    newCommand('erase', 'Erase leads permanently, with every copy. This cannot be undone.', [
      'lead erase 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'lead erase --to 2025-01-01T00:00:00Z --yes',
    ]),
  ).action(async (ids: string[], options: ActionOptions, command: Command) => {
    const { api, out } = sessionOf(command);
    const { workspace_id, body, count } = await selected(api, ids, options);
    await confirm(options, `Erase ${count} permanently?`);
    const { id } = await api.call('POST', '/workspaces/:workspace_id/lead-actions/erasures', {
      params: { workspace_id },
      body,
    });
    const done = await untilDone(api, workspace_id, id, 'Erasing');
    out.result(done, `${done.changed} of ${done.done} leads erased.`);
  });

export const undoCommand = () =>
  inWorkspace(
    newCommand('undo', 'Give leads the marks that they had before an action.', [
      'lead undo 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('<action>', 'the ID of the action, which `lead mark` prints')
    .action(async (action: string, { workspace }: WorkspaceOption, command: Command) => {
      const action_id = idArgument('action ID', action);
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const { id } = await api.call('POST', '/workspaces/:workspace_id/lead-actions/:action_id/undo', {
        params: { workspace_id, action_id },
      });
      const done = await untilDone(api, workspace_id, id, 'Undoing');
      out.result(done, `The marks of ${done.changed} of ${done.done} leads were undone.`);
    });

function withSelection(command: Command): Command {
  return filtered(withConfirmation(command))
    .argument('[id...]', 'their submission IDs')
    .option('--all', 'all leads of the workspace');
}

/** Nobody marks or erases everything by leaving something out. */
async function selected(api: Api, ids: readonly string[], options: ActionOptions) {
  const { params, query } = await wanted(api, options);
  const filter = Object.fromEntries(
    Object.entries(query).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
  const isFiltered = Object.keys(filter).length > 0;
  if (ids.length > 0 === (isFiltered || options.all === true))
    throw new CliError('usage', 'Name IDs, or select with filters or --all, but not both.');
  if (ids.length > 0) {
    const body: LeadSelectionInput = { ids: ids.map((id) => idArgument('submission ID', id)) };
    return { ...params, body, count: countText(ids.length) };
  }
  const counted = await api.call('GET', '/workspaces/:workspace_id/leads/count', { params, query });
  const body: LeadSelectionInput = {
    filter: { ...filter, to: counted.counted_to },
    ...(counted.is_exact ? { expected_count: counted.count } : { any_number: true }),
  };
  return { ...params, body, count: `${counted.is_exact ? '' : 'at least '}${countText(counted.count)}` };
}

const countText = (count: number) => (count === 1 ? '1 lead' : `${count} leads`);

/** The service goes through the leads by itself; to stop watching does not stop it. */
async function untilDone(
  api: Api,
  workspace_id: string,
  action_id: string,
  label: string,
): Promise<LeadAction> {
  const bar = new ProgressBar(label);
  for (;;) {
    const action = await api.call('GET', '/workspaces/:workspace_id/lead-actions/:action_id', {
      params: { workspace_id, action_id },
    });
    if (action.state === 'running') {
      bar.show(action.done, action.total);
      await sleep(pauseMs);
      continue;
    }
    bar.end();
    if (action.state === 'stopped')
      throw new CliError('failure', `Stopped after ${action.done} of ${countText(action.total)}.`);
    return action;
  }
}
