import type { Command } from 'commander';
import type { Token } from '../../contract/tokens.ts';
import { newCommand, sessionOf } from '../command.ts';
import { findForm, findWorkspace, only } from '../find.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import type { Column } from '../output.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../terminal/confirm.ts';
import { printable } from '../terminal/safe-text.ts';

type ListedToken = Token & { readonly form_slug: string };

const columns: Column<ListedToken>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'NAME', show: ({ name }) => name },
  { title: 'FORM', show: ({ form_slug }) => form_slug },
  { title: 'TOKEN', show: ({ hint }) => hint },
  {
    title: 'STATUS',
    show: ({ status }) => status,
    style: ({ status }) => (status === 'active' ? 'green' : 'yellow'),
  },
  { title: 'LAST USED', show: ({ last_used_at }) => last_used_at ?? 'never' },
];

const list = () =>
  inWorkspace(
    newCommand('list', 'List the ingest tokens of a workspace, including revoked ones.', ['token list']),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id } = await findWorkspace(api, workspace);
    const forms = await api.list('/workspaces/:workspace_id/forms', { params: { workspace_id: id } });
    const slugs = new Map(forms.map((form) => [form.id, form.slug]));
    const tokens = await api.list('/workspaces/:workspace_id/tokens', { params: { workspace_id: id } });
    const listed = tokens.map((token) => ({ ...token, form_slug: slugs.get(token.form_id) ?? '' }));
    out.table(listed, columns, 'No tokens yet.');
  });

interface NewTokenOptions extends WorkspaceOption {
  readonly form: string;
  readonly expires?: string;
}

const create = () =>
  inWorkspace(
    newCommand('create', 'Create an ingest token and print it once.', [
      'token create Backend --form contact',
      'token create Import --form contact --expires 2027-01-01T00:00:00Z > token.txt',
    ]),
  )
    .argument('<name>')
    .requiredOption('-f, --form <form>', 'the form for its leads: slug, name or ID')
    .option('--expires <time>', 'when it expires, such as 2027-01-01T00:00:00Z')
    .action(async (name: string, { workspace, form, expires }: NewTokenOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/tokens', {
        params: { workspace_id: id },
        body: {
          name,
          form_id: (await findForm(api, id, form)).id,
          ...(expires === undefined ? {} : { expires_at: expires }),
        },
      });
      out.note('The token is shown only once:');
      out.result(made, made.token);
    });

const revoke = () =>
  withConfirmation(
    inWorkspace(
      newCommand('revoke', 'Revoke a token immediately and permanently.', [
        'token revoke Backend',
        'token revoke Backend --yes',
      ]),
    ),
  )
    .argument('<token>', 'its name or ID')
    .action(async (wanted: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspaceId } = await findWorkspace(api, options.workspace);
      const all = await api.list('/workspaces/:workspace_id/tokens', {
        params: { workspace_id: workspaceId },
      });
      // The name of a revoked token may be used again; an id is unique.
      const meant = all.filter(({ id, status }) => id === wanted || status !== 'revoked');
      const { id, name, hint } = only(meant, 'token', wanted, (token) => [token.id, token.name]);
      await confirm(
        options,
        `Revoke the token ${name} (${hint})? Its senders will no longer be able to send leads.`,
      );
      await api.call('DELETE', '/workspaces/:workspace_id/tokens/:token_id', {
        params: { workspace_id: workspaceId, token_id: id },
      });
      out.result({ revoked: id }, printable(`Revoked ${name} (${hint}).`));
    });

export const tokenCommand = () =>
  newCommand('token', 'List, create and revoke ingest tokens.', ['token list'])
    .addCommand(list())
    .addCommand(create())
    .addCommand(revoke());
