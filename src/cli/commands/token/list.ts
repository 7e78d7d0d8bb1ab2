import type { Command } from 'commander';
import type { Token } from '../../../contract/tokens.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { detailLines } from '../../terminal/details.ts';
import { findToken } from './find-token.ts';

type ListedToken = Token & { readonly form_slug: string };

const columns: Column<ListedToken>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'NAME', show: ({ name }) => name },
  { title: 'FORM', show: ({ form_slug }) => form_slug },
  { title: 'TOKEN', show: ({ hint }) => hint },
  {
    title: 'HEALTH',
    show: ({ health }) => health,
    style: ({ health }) => (health === 'healthy' ? 'green' : 'yellow'),
  },
  { title: 'CREATED BY', show: ({ created_by }) => creatorName(created_by) },
  { title: 'EXPIRES', show: ({ expires_at }) => expires_at ?? 'never' },
  { title: 'LAST USED', show: ({ last_used_at }) => last_used_at ?? 'never' },
];

export const listCommand = () =>
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

export const showCommand = () =>
  inWorkspace(
    newCommand('show', 'Show a token: how it is doing, what to do, and where it is used from.', [
      'token show Backend',
    ]),
  )
    .argument('<token>', 'its name or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { workspaceId, token } = await findToken(api, workspace, wanted);
      const shown = await api.call('GET', '/workspaces/:workspace_id/tokens/:token_id', {
        params: { workspace_id: workspaceId, token_id: token.id },
      });
      const { traffic, addresses } = shown;
      const lines = detailLines([
        ['Token', `${shown.name} (${shown.hint})`],
        ['ID', shown.id],
        ['Health', `${shown.health}. ${shown.advice}`],
        ['Created', `${shown.created_at} by ${creatorName(shown.created_by)}`],
        ['Expires', shown.expires_at ?? 'never'],
        ['Last used', shown.last_used_at ?? 'never'],
        ...(addresses === null
          ? []
          : [['Used from', addresses.map(({ address }) => address).join(', ') || 'nowhere yet'] as const]),
        ...(traffic === null ? [] : [['Last 24 hours', trafficText(traffic)] as const]),
        ['Open links', String(shown.handover_links.length)],
      ]);
      out.result(shown, lines.join('\n'));
    });

function creatorName(creator: Token['created_by']): string {
  if (creator === null) return 'unknown';
  if (creator.kind === 'operator_key') return 'operator';
  if (creator.kind === 'api_key') return `API key ${creator.name ?? '(deleted)'}`;
  return creator.name ?? 'former member';
}

function trafficText({ accepted, by_reason }: NonNullable<Token['traffic']>): string {
  return [`${accepted} accepted`, ...by_reason.map(({ reason, count }) => `${count} ${reason}`)].join(', ');
}
