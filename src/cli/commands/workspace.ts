import type { Command } from 'commander';
import type { Workspace, WorkspaceChanges } from '../../contract/workspaces/workspace.ts';
import { newCommand, sessionOf } from '../command.ts';
import { findWorkspace } from '../find.ts';
import type { Column } from '../output.ts';
import { printable } from '../terminal/safe-text.ts';

const columns: Column<Workspace>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'NAME', show: ({ name }) => name },
  {
    title: 'STATUS',
    show: ({ status, suspension }) => (suspension === null ? status : suspensionText(suspension)),
    style: ({ status }) => (status === 'active' ? 'green' : 'yellow'),
  },
];

function suspensionText({ since, by, reason }: NonNullable<Workspace['suspension']>): string {
  const who = by === null ? '' : ` by ${by}`;
  return `suspended since ${since}${who}${reason === null ? '' : `: ${reason}`}`;
}

const list = () =>
  newCommand('list', 'List workspaces.', ['workspace list', 'workspace list --json']).action(
    async (_options: object, command: Command) => {
      const { api, out } = sessionOf(command);
      out.table(await api.list('/workspaces', {}), columns, 'No workspaces yet.');
    },
  );

const create = () =>
  newCommand('create', 'Create a workspace and print its ID.', ['workspace create "Analytical Engines"'])
    .argument('<name>')
    .action(async (name: string, _options: object, command: Command) => {
      const { api, out } = sessionOf(command);
      const made = await api.call('POST', '/workspaces', { body: { name } });
      out.result(made, made.id);
    });

const suspend = () =>
  newCommand(
    'suspend',
    'Suspend a workspace: until you resume it, its submissions are rejected and its deliveries wait.',
    ['workspace suspend "Analytical Engines" --reason "unpaid since May"'],
  )
    .argument('<workspace>', 'its name or ID')
    .option('--reason <text>', 'why; people in the workspace see it')
    .action((name: string, { reason }: { reason?: string }, command: Command) =>
      change(command, name, { status: 'suspended', ...(reason === undefined ? {} : { reason }) }),
    );

const resume = () =>
  newCommand('resume', 'Resume a suspended workspace.', ['workspace resume "Analytical Engines"'])
    .argument('<workspace>', 'its name or ID')
    .action((name: string, _options: object, command: Command) =>
      change(command, name, { status: 'active' }),
    );

async function change(command: Command, name: string, changes: WorkspaceChanges): Promise<void> {
  const { api, out } = sessionOf(command);
  const { id } = await findWorkspace(api, name);
  const changed = await api.call('PATCH', '/workspaces/:workspace_id', {
    params: { workspace_id: id },
    body: changes,
  });
  const { suspension } = changed;
  const state = suspension === null ? changed.status : suspensionText(suspension);
  out.result(changed, printable(`${changed.name} is ${state}.`));
}

export const workspaceCommand = () =>
  newCommand('workspace', 'List, create, suspend and resume workspaces.', ['workspace list'])
    .addCommand(list())
    .addCommand(create())
    .addCommand(suspend())
    .addCommand(resume());
