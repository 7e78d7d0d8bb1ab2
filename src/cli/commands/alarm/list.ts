import { type Command, Option } from 'commander';
import type { AlarmView, InstanceAlarmView } from '../../../contract/alarms/alarm.ts';
import { type AlarmKind, alarmKinds } from '../../../domain/alarm/alarm.ts';
import { newCommand, type Session, sessionOf } from '../../command.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { countOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { isOfInstance, type OperatorOption, orOfInstance } from './operator.ts';

type AnyAlarm = AlarmView | InstanceAlarmView;

interface ListOptions extends OperatorOption {
  readonly state: 'open' | 'closed' | 'all';
  readonly kind?: AlarmKind;
  readonly form?: string;
  readonly limit: string;
}

const severityStyles = { high: 'red', medium: 'yellow', low: 'dim' } as const;

/** Times are by the clock of the service. */
const columnsAt = (nowMs: number): Column<AnyAlarm>[] => [
  { title: 'OPENED', show: ({ opened_at }) => opened_at },
  {
    title: 'SEVERITY',
    show: ({ severity }) => severity,
    style: ({ severity }) => severityStyles[severity],
  },
  { title: 'STATE', show: (alarm) => stateAt(alarm, nowMs) },
  { title: 'KIND', show: ({ kind }) => kind },
  { title: 'ID', show: ({ id }) => id },
  { title: 'TITLE', show: ({ title }) => title },
];

export const listCommand = () =>
  orOfInstance(
    newCommand('list', 'List alarms, newest first.', [
      'alarm list --state open',
      'alarm list --kind silence --form contact --json',
      'alarm list --operator',
    ]),
  )
    .addOption(
      new Option('--state <state>', 'only those that are open, or over')
        .choices(['open', 'closed', 'all'])
        .default('all'),
    )
    .addOption(new Option('--kind <kind>', 'only alarms of this kind').choices(alarmKinds))
    .option('-f, --form <form>', 'only alarms about this form: slug, name or ID')
    .option('--limit <count>', 'the maximum number', '50')
    .action(async ({ state, limit, ...options }: ListOptions, command: Command) => {
      const countMax = countOption('--limit', limit);
      const isInstance = isOfInstance({ ...options });
      const session = sessionOf(command);
      const found: AnyAlarm[] = isInstance
        ? await session.api.list('/operator/alarms', { query: { state } }, countMax)
        : await alarmsOf(session, { ...options, state }, countMax);
      session.out.table(
        found,
        columnsAt(session.api.now()),
        state === 'open' ? 'No open alarms.' : 'No alarms found.',
      );
    });

async function alarmsOf({ api }: Session, options: Omit<ListOptions, 'limit'>, countMax: number) {
  const { state, kind, form, workspace } = options;
  const { id: workspace_id } = await findWorkspace(api, workspace);
  const form_id = form === undefined ? undefined : (await findForm(api, workspace_id, form)).id;
  const query = { state, kind, form_id };
  return api.list('/workspaces/:workspace_id/alarms', { params: { workspace_id }, query }, countMax);
}

export function stateAt(alarm: AnyAlarm, nowMs: number): string {
  if (alarm.closed_as !== null) return alarm.closed_as;
  if (alarm.acknowledged_at !== null) return 'acknowledged';
  return 'muted_until' in alarm && isLater(alarm.muted_until, nowMs) ? 'muted' : 'open';
}

/** A mute that has ended is still named. */
function isLater(time: string | null, nowMs: number): boolean {
  return time !== null && Date.parse(time) > nowMs;
}
