import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { destinationParams, findDestination, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';
import { printable } from '../../terminal/safe-text.ts';

export const pauseCommand = () =>
  inWorkspace(
    newCommand('pause', 'Pause a destination: its deliveries are collected until you resume it.', [
      'destination pause CRM',
    ]),
  )
    .argument('<destination>', 'its name or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const changed = await api.call('POST', '/workspaces/:workspace_id/destinations/:destination_id/pause', {
        params: await destinationParams(api, workspace, wanted),
      });
      out.result(changed, printable(`${changed.name} is ${changed.status}.`));
    });

export const resumeCommand = () =>
  inWorkspace(
    newCommand('resume', 'Resume a paused or disabled destination. Everything that waits is sent.', [
      'destination resume CRM',
    ]),
  )
    .argument('<destination>', 'its name or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const changed = await api.call(
        'POST',
        '/workspaces/:workspace_id/destinations/:destination_id/resume',
        {
          params: await destinationParams(api, workspace, wanted),
        },
      );
      out.result(changed, printable(`${changed.name} is ${changed.status}.`));
    });

export const deleteCommand = () =>
  withConfirmation(
    inWorkspace(
      newCommand('delete', 'Delete a destination and cancel its deliveries that wait.', [
        'destination delete CRM',
        'destination delete CRM --yes',
      ]),
    ),
  )
    .argument('<destination>', 'its name or ID')
    .action(async (wanted: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const workspace = await findWorkspace(api, options.workspace);
      const { id, name, last_day } = await findDestination(api, workspace.id, wanted);
      await confirm(
        options,
        `Delete the destination ${name} of ${workspace.name}? ${last_day.waiting} deliveries wait, and will be cancelled.`,
      );
      await api.call('DELETE', '/workspaces/:workspace_id/destinations/:destination_id', {
        params: { workspace_id: workspace.id, destination_id: id },
      });
      out.result({ deleted: id }, `Deleted ${printable(name)}.`);
    });
