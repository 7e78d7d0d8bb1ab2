import type { Command } from 'commander';
import { relativeRanges } from '../../../contract/leads/ranges.ts';
import type { LeadView } from '../../../contract/leads/views.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findForm, findWorkspace, only } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/safe-text.ts';

const columns: Column<LeadView>[] = [
  { title: 'NAME', show: ({ name }) => name },
  { title: 'FILTERS', show: ({ filters }) => JSON.stringify(filters) },
  { title: 'CREATED BY', show: ({ created_by }) => created_by?.name ?? '' },
  { title: 'CHANGED', show: ({ changed_at }) => changed_at },
  { title: 'ID', show: ({ id }) => id },
];

const list = () =>
  inWorkspace(newCommand('list', 'List the saved views of leads.', ['view list'])).action(
    async ({ workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, workspace);
      out.table(await viewsOf(api, id), columns, 'No saved views.');
    },
  );

interface CreateOptions extends WorkspaceOption {
  readonly form?: string;
  readonly verdict?: string;
  readonly search?: string;
  readonly range?: string;
  readonly where?: string;
  readonly sort?: string;
  readonly order?: string;
}

const create = () =>
  inWorkspace(
    newCommand('create', 'Save a view of leads for everyone in the workspace.', [
      'view create "Hot leads" --verdict clean --sort score',
      `view create "Large teams" --where '{"all":[{"field":"field.seats","op":"gte","value":50}]}'`,
    ]),
  )
    .argument('<name>')
    .option('-f, --form <form>', 'only leads of this form: slug, name or ID')
    .option('--verdict <verdict>', 'only leads with this verdict, such as clean or spam')
    .option('--search <text>', 'only leads with a field that contains this text')
    .option('--range <range>', `received within this time: ${Object.keys(relativeRanges).join(', ')}`)
    .option('--where <json>', 'conditions on scores, grades and fields')
    .option('--sort <column>', 'received, score, grade, verdict, form or field.<key>')
    .option('--order <order>', 'asc or desc')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { form, verdict, search, range, where, sort, order } = options;
      const given = { verdict, q: search, range, where: jsonIn(where), sort, order };
      const { id } = await findWorkspace(api, options.workspace);
      const form_id = form === undefined ? undefined : (await findForm(api, id, form)).id;
      // The service checks the values, and says what is wrong with them.
      const filters = { ...given, form_id } as LeadView['filters'];
      const view = await api.call('POST', '/workspaces/:workspace_id/lead-views', {
        params: { workspace_id: id },
        body: { name, filters },
      });
      out.result(view, printable(`Saved view ${view.name}.`));
    });

function jsonIn(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(
      'usage',
      '--where must be JSON such as {"all":[{"field":"score","op":"gte","value":50}]}.',
    );
  }
}

const rename = () =>
  inWorkspace(newCommand('rename', 'Rename a saved view.', ['view rename "Hot leads" "Hot leads, 2026"']))
    .argument('<view>', 'its name or ID')
    .argument('<name>', 'its new name')
    .action(async (wanted: string, name: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const { id } = await findView(api, workspace_id, wanted);
      const view = await api.call('PATCH', '/workspaces/:workspace_id/lead-views/:view_id', {
        params: { workspace_id, view_id: id },
        body: { name },
      });
      out.result(view, printable(`Renamed to ${view.name}.`));
    });

const remove = () =>
  withConfirmation(
    inWorkspace(
      newCommand('delete', 'Delete a saved view. No lead is changed.', ['view delete "Hot leads" --yes']),
    ),
  )
    .argument('<view>', 'its name or ID')
    .action(async (wanted: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, options.workspace);
      const { id, name } = await findView(api, workspace_id, wanted);
      await confirm(options, `Delete view ${name} for everyone in the workspace?`);
      await api.call('DELETE', '/workspaces/:workspace_id/lead-views/:view_id', {
        params: { workspace_id, view_id: id },
      });
      out.result({ id }, printable(`Deleted view ${name}.`));
    });

async function viewsOf(api: Api, workspaceId: string): Promise<readonly LeadView[]> {
  const params = { workspace_id: workspaceId };
  return (await api.call('GET', '/workspaces/:workspace_id/lead-views', { params })).items;
}

export async function findView(api: Api, workspaceId: string, wanted: string): Promise<LeadView> {
  return only(await viewsOf(api, workspaceId), 'view', wanted, ({ id, name }) => [id, name]);
}

/** The filters of a view as the list of leads takes them. */
export function listQueryOf({ filters }: LeadView) {
  const { range, where, ...others } = filters;
  return {
    ...others,
    ...(range === undefined ? {} : { from: new Date(Date.now() - relativeRanges[range]).toISOString() }),
    ...(where === undefined ? {} : { where: JSON.stringify(where) }),
  };
}

export const viewCommand = () =>
  newCommand('view', 'List, create, rename and delete saved views of leads.', ['view list'])
    .addCommand(list())
    .addCommand(create())
    .addCommand(rename())
    .addCommand(remove());
