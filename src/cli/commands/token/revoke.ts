import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/safe-text.ts';
import { findToken } from './find-token.ts';

export const revokeCommand = () =>
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
      const { workspaceId, token } = await findToken(api, options.workspace, wanted);
      const { id, name, hint, last_used_at } = token;
      const params = { workspace_id: workspaceId, token_id: id };
      const { addresses } = await api.call('GET', '/workspaces/:workspace_id/tokens/:token_id', { params });
      const count = addresses?.length ?? 0;
      const from = count === 0 ? '' : ` from ${count} ${count === 1 ? 'address' : 'addresses'}`;
      const use =
        last_used_at === null ? 'It was never used.' : `It was last used at ${last_used_at}${from}.`;
      await confirm(
        options,
        `Revoke the token ${name} (${hint})? ${use} Requests with it will be rejected immediately.`,
      );
      await api.call('DELETE', '/workspaces/:workspace_id/tokens/:token_id', { params });
      out.result({ revoked: id }, printable(`Revoked ${name} (${hint}).`));
    });
