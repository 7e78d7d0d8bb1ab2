import type { Command } from 'commander';
import type { WholeAlarmView } from '../../../contract/alarms/alarm.ts';
import { newCommand, type Session, sessionOf } from '../../command.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';
import { stateAt } from './list.ts';

export const showCommand = () =>
  inWorkspace(
    newCommand('show', 'Show an alarm with its evidence, and who was told.', [
      'alarm show 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'alarm show 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10 --json | jq .evidence',
    ]),
  )
    .argument('<id>', 'its ID')
    .action(async (id: string, { workspace }: WorkspaceOption, command: Command) => {
      const alarm_id = idArgument('alarm ID', id);
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const alarm = await api.call('GET', '/workspaces/:workspace_id/alarms/:alarm_id', {
        params: { workspace_id, alarm_id },
      });
      out.result(alarm, alarmText(api, alarm));
    });

function alarmText(api: Session['api'], alarm: WholeAlarmView): string {
  const { acknowledged_at, acknowledged_by, closed_at, muted_until } = alarm;
  return detailLines([
    ['Alarm', alarm.title],
    ['Id', alarm.id],
    ['Kind', alarm.kind],
    ['Severity', alarm.severity],
    ['State', stateAt(alarm, api.now())],
    ['Opened', alarm.opened_at],
    ['Last found', alarm.last_at],
    ...(closed_at === null ? [] : ([['Closed', closed_at]] as const)),
    ...(acknowledged_at === null
      ? []
      : ([['Acknowledged', `${acknowledged_at} by ${acknowledged_by}`]] as const)),
    ...(muted_until === null ? [] : ([['Muted until', muted_until]] as const)),
    ...alarm.facts.map(({ label, value }) => [label, value] as const),
    ['Page', api.url + alarm.path],
    ...alarm.notices.map((notice) => ['Told', noticeText(notice)] as const),
  ]).join('\n');
}

function noticeText({ at, what, state, email_state, emails_sent }: WholeAlarmView['notices'][number]) {
  const emails = email_state === 'none' ? '' : `, emails ${email_state} (${emails_sent})`;
  return `${at} ${what}: ${state}${emails}`;
}
