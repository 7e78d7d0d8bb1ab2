import { type Command, Option } from 'commander';
import type { ApiKey } from '../../../contract/workspaces/api-keys.ts';
import { type Scope, scopes } from '../../../domain/api-key/scope.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace, only } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/safe-text.ts';

const columns: Column<ApiKey>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'NAME', show: ({ name }) => name },
  { title: 'KEY', show: ({ hint }) => hint },
  { title: 'SCOPES', show: (key) => key.scopes.join(' ') },
  {
    title: 'STATUS',
    show: ({ status }) => status,
    style: ({ status }) => (status === 'active' ? 'green' : 'yellow'),
  },
  { title: 'CREATED BY', show: ({ created_by }) => creatorOf(created_by) },
  { title: 'LAST USED', show: ({ last_used_at }) => last_used_at ?? 'never' },
];

function creatorOf(creator: ApiKey['created_by']): string {
  if (creator === null) return 'operator';
  return creator.is_member ? creator.name : `${creator.name} (left)`;
}

const list = () =>
  inWorkspace(
    newCommand('list', 'List the API keys of a workspace, including revoked ones.', ['key list']),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id } = await findWorkspace(api, workspace);
    const keys = await api.list('/workspaces/:workspace_id/api-keys', { params: { workspace_id: id } });
    out.table(keys, columns, 'No API keys yet.');
  });

interface NewKeyOptions extends WorkspaceOption {
  readonly scope: readonly Scope[];
  readonly expires?: string;
}

const create = () =>
  inWorkspace(
    newCommand('create', 'Create an API key and print it once.', [
      'key create Reports --scope leads:read',
      'key create Zapier --scope leads:read forms:read destinations:read destinations:write > key.txt',
    ]),
  )
    .argument('<name>')
    .addOption(
      new Option('-s, --scope <scope...>', 'what the key may do; several are allowed')
        .choices(scopes)
        .makeOptionMandatory(),
    )
    .option('--expires <time>', 'when it expires, such as 2027-01-01T00:00:00Z')
    .action(async (name: string, { workspace, scope, expires }: NewKeyOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/api-keys', {
        params: { workspace_id: id },
        body: { name, scopes: [...scope], ...(expires === undefined ? {} : { expires_at: expires }) },
      });
      out.note('The API key is shown only once:');
      out.result(made, made.key);
    });

const revoke = () =>
  withConfirmation(
    inWorkspace(
      newCommand('revoke', 'Revoke an API key immediately and permanently.', [
        'key revoke Zapier',
        'key revoke Zapier --yes',
      ]),
    ),
  )
    .argument('<key>', 'its name or ID')
    .action(async (wanted: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspaceId } = await findWorkspace(api, options.workspace);
      const all = await api.list('/workspaces/:workspace_id/api-keys', {
        params: { workspace_id: workspaceId },
      });
      // The name of a revoked key may be used again; an id is unique.
      const meant = all.filter(({ id, status }) => id === wanted || status !== 'revoked');
      const { id, name, hint } = only(meant, 'API key', wanted, (key) => [key.id, key.name]);
      await confirm(
        options,
        `Revoke the API key ${name} (${hint})? Programs that use it will no longer have access.`,
      );
      await api.call('DELETE', '/workspaces/:workspace_id/api-keys/:api_key_id', {
        params: { workspace_id: workspaceId, api_key_id: id },
      });
      out.result({ revoked: id }, printable(`Revoked ${name} (${hint}).`));
    });

export const keyCommand = () =>
  newCommand('key', 'List, create and revoke API keys.', ['key list'])
    .addCommand(list())
    .addCommand(create())
    .addCommand(revoke());
