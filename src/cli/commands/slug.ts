import type { Command } from 'commander';
import type { FormerSlug, FormerSlugHolders } from '../../contract/forms/slug.ts';
import type { Api } from '../api.ts';
import { newCommand, sessionOf } from '../command.ts';
import { CliError } from '../exit.ts';
import { findWorkspace } from '../find.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import type { Column } from '../output.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../terminal/confirm.ts';
import { printable } from '../terminal/safe-text.ts';

type Holder = FormerSlugHolders['items'][number];

const columns: Column<FormerSlug>[] = [
  { title: 'SLUG', show: ({ slug }) => slug },
  { title: 'FREED', show: ({ freed_at }) => freed_at },
  { title: 'FORM', show: ({ form_id }) => form_id },
];

const aliasColumn: Column<FormerSlug> = {
  title: 'ALIAS UNTIL',
  show: ({ alias_until }) => alias_until ?? '-',
};

const holderColumns: Column<Holder>[] = [
  ...columns,
  { title: 'WORKSPACE', show: ({ workspace_id, workspace_name }) => `${workspace_id} ${workspace_name}` },
];

const list = () =>
  inWorkspace(
    newCommand('list', 'List the former slugs of a workspace, which no other workspace can use.', [
      'slug list',
    ]),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id } = await findWorkspace(api, workspace);
    const found = await api.list('/workspaces/:workspace_id/former-slugs', { params: { workspace_id: id } });
    out.table(found, [...columns, aliasColumn], 'No former slugs.');
  });

const find = () =>
  newCommand('find', 'Find the workspaces that hold a former slug.', ['slug find contact'])
    .argument('<slug>')
    .action(async (slug: string, _options: object, command: Command) => {
      const { api, out } = sessionOf(command);
      out.table(await holdersOf(api, slug), holderColumns, `${slug} is not a former slug.`);
    });

const endAlias = () =>
  withConfirmation(
    inWorkspace(
      newCommand('end-alias', 'End the alias of a former slug: leads sent to it are then rejected.', [
        'slug end-alias contact',
        'slug end-alias contact --yes',
      ]),
    ),
  )
    .argument('<slug>')
    .action(async (slug: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      await confirm(options, `End the alias ${slug}? Leads sent to it will be rejected.`);
      const ended = await api.call('POST', '/workspaces/:workspace_id/former-slugs/end-alias', {
        params: { workspace_id: id },
        body: { slug },
      });
      out.result(ended, printable(`${slug} is no longer an alias.`));
    });

interface ReleaseOptions extends WorkspaceOption, ConfirmOption {
  readonly reason?: string;
}

const release = () =>
  withConfirmation(
    newCommand('release', 'Release a former slug, so that any workspace can use it.', [
      'slug release contact --reason "moved to another workspace"',
    ]),
  )
    .argument('<slug>')
    .option('-w, --workspace <name or id>', 'the workspace that holds it; required if several shared it')
    .option('--reason <text>', 'why; owners of the workspace see it in the audit log')
    .action(async (slug: string, options: ReleaseOptions, command: Command) => {
      const { workspace, reason } = options;
      const { api, out } = sessionOf(command);
      const holder = onlyHolder(slug, await holdersOf(api, slug), workspace);
      await confirm(options, `Release ${slug}, a former slug of ${holder.workspace_name}, to any workspace?`);
      const released = await api.call('POST', '/workspaces/:workspace_id/former-slugs/release', {
        params: { workspace_id: holder.workspace_id },
        body: { slug, ...(reason === undefined ? {} : { reason }) },
      });
      out.result(released, printable(`Any workspace can now use ${slug}.`));
    });

function onlyHolder(slug: string, held: readonly Holder[], workspace: string | undefined): Holder {
  const [first, ...others] = held.filter(
    ({ workspace_id, workspace_name }) =>
      workspace === undefined || workspace === workspace_id || workspace === workspace_name,
  );
  const whose = workspace === undefined ? '' : ` of ${workspace}`;
  if (first === undefined) throw new CliError('missing', `${slug} is not a former slug${whose}.`);
  if (others.length > 0) {
    throw new CliError('usage', `Several workspaces had the slug ${slug}. Choose one with --workspace <id>.`);
  }
  return first;
}

async function holdersOf(api: Api, slug: string): Promise<Holder[]> {
  return (await api.call('GET', '/operator/former-slugs', { query: { slug } })).items;
}

export const slugCommand = () =>
  newCommand('slug', 'List, find and release former slugs, and end their aliases.', ['slug list'])
    .addCommand(list())
    .addCommand(find())
    .addCommand(endAlias())
    .addCommand(release());
