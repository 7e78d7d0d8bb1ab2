import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { findRejection } from './find-rejection.ts';

export const dryRunCommand = () =>
  inWorkspace(
    newCommand('dry-run', 'Say what would happen if a held request were sent again now. Nothing is stored.', [
      'rejection dry-run 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('<request-id>', 'the X-Request-Id that the sender received')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { workspaceId, entry } = await findRejection(api, workspace, wanted);
      const result = await api.call('POST', '/workspaces/:workspace_id/rejections/:rejection_id/dry-run', {
        params: { workspace_id: workspaceId, rejection_id: entry.id },
      });
      out.result(result, result.text);
    });
