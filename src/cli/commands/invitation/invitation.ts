import { type Command, Option } from 'commander';
import type { Invitation, Member } from '../../../contract/workspaces/member.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findWorkspace, only } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column, Output } from '../../output.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/safe-text.ts';

const columns: Column<Invitation>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'EMAIL', show: ({ email }) => email },
  { title: 'ROLE', show: ({ role }) => role },
  {
    title: 'STATUS',
    show: ({ status }) => status,
    style: ({ status }) => (status === 'open' ? 'green' : 'yellow'),
  },
  { title: 'EXPIRES', show: ({ expires_at }) => expires_at },
  { title: 'INVITED BY', show: ({ invited_by }) => invited_by?.email ?? 'operator' },
];

const list = () =>
  inWorkspace(
    newCommand('list', 'List the invitations that nobody has accepted, also expired ones.', [
      'invitation list',
    ]),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id } = await findWorkspace(api, workspace);
    out.table(await listed(api, id), columns, 'No invitations.');
  });

const create = () =>
  inWorkspace(
    newCommand('create', 'Invite a person by email, or print the link if there is no mail server.', [
      'invitation create ada@example.com',
      'invitation create ada@example.com --role owner',
    ]),
  )
    .argument('<email>')
    .addOption(new Option('--role <role>', 'what they can do').choices(['owner', 'member']).default('member'))
    .action(async (email: string, options: WorkspaceOption & { role: Member['role'] }, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/invitations', {
        params: { workspace_id: id },
        body: { email, role: options.role },
      });
      tell(out, made);
    });

const send = () =>
  inWorkspace(
    newCommand('send', 'Send an invitation again with a new link, which ends the previous one.', [
      'invitation send ada@example.com',
    ]),
  )
    .argument('<invitation>', 'its email address or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { params } = await found(api, workspace, wanted);
      const path = '/workspaces/:workspace_id/invitations/:invitation_id/send';
      tell(out, await api.call('POST', path, { params }));
    });

const withdraw = () =>
  withConfirmation(
    inWorkspace(
      newCommand('withdraw', 'Withdraw an invitation: its link no longer works.', [
        'invitation withdraw ada@example.com --yes',
      ]),
    ),
  )
    .argument('<invitation>', 'its email address or ID')
    .action(async (wanted: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { params, email } = await found(api, options.workspace, wanted);
      await confirm(options, `Withdraw the invitation for ${email}?`);
      await api.call('DELETE', '/workspaces/:workspace_id/invitations/:invitation_id', { params });
      out.result({ withdrawn: params.invitation_id }, printable(`Withdrew the invitation for ${email}.`));
    });

const listed = (api: Api, workspace_id: string) =>
  api.list('/workspaces/:workspace_id/invitations', { params: { workspace_id } });

async function found(api: Api, workspace: string | undefined, wanted: string) {
  const { id: workspace_id } = await findWorkspace(api, workspace);
  const { id, email } = only(await listed(api, workspace_id), 'invitation', wanted, (one) => [
    one.id,
    one.email,
  ]);
  return { params: { workspace_id, invitation_id: id }, email };
}

interface Sent {
  readonly email: string;
  readonly link: string | null;
  readonly notice?: string | undefined;
}

function tell(out: Output, sent: Sent): void {
  if (sent.notice !== undefined) throw new CliError('failure', sent.notice);
  if (sent.link !== null) out.note('The link is shown only once, and anyone with the link can join:');
  out.result(sent, sent.link ?? printable(`Sent an email to ${sent.email}.`));
}

export const invitationCommand = () =>
  newCommand('invitation', 'Invite people to a workspace, send invitations again, withdraw them.', [
    'invitation list',
  ])
    .addCommand(list())
    .addCommand(create())
    .addCommand(send())
    .addCommand(withdraw());
