import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';

export const replayCommand = () =>
  inWorkspace(
    newCommand(
      'replay',
      'Send a delivery again, with the same webhook-id, and print the ID of the new one.',
      ['delivery replay 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10'],
    ),
  )
    .argument('<id>', 'its ID')
    .action(async (id: string, { workspace }: WorkspaceOption, command: Command) => {
      const delivery_id = idArgument('delivery ID', id);
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const made = await api.call('POST', '/workspaces/:workspace_id/deliveries/:delivery_id/replay', {
        params: { workspace_id, delivery_id },
      });
      out.result(made, made.id);
    });
