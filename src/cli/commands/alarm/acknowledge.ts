import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { isOfInstance, type OperatorOption, orOfInstance } from './operator.ts';

export const acknowledgeCommand = () =>
  orOfInstance(
    newCommand('acknowledge', 'Acknowledge alarms: nobody is reminded of them any more.', [
      'alarm acknowledge 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'alarm acknowledge --operator 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('<id...>', 'their IDs')
    .action(async (given: string[], options: OperatorOption, command: Command) => {
      const ids = given.map((id) => idArgument('alarm ID', id));
      const isInstance = isOfInstance({ ...options });
      const { api, out } = sessionOf(command);
      const workspace_id = isInstance ? null : (await findWorkspace(api, options.workspace)).id;
      for (const alarm_id of ids) {
        if (workspace_id === null)
          await api.call('POST', '/operator/alarms/:alarm_id/acknowledgement', { params: { alarm_id } });
        else
          await api.call('POST', '/workspaces/:workspace_id/alarms/:alarm_id/acknowledgement', {
            params: { workspace_id, alarm_id },
          });
      }
      out.result(
        { acknowledged: ids },
        `Acknowledged ${ids.length === 1 ? '1 alarm' : `${ids.length} alarms`}.`,
      );
    });
