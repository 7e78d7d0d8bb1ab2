import { type Command, Option } from 'commander';
import type { AlarmSettingsView } from '../../../contract/alarms/alarm-settings.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findWorkspace } from '../../find.ts';
import { KnownForms } from '../../known-forms.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';
import { type ChangeableSettings, changeSettings } from './change-settings.ts';

interface SetOptions extends WorkspaceOption {
  readonly email?: 'on' | 'off';
  readonly timeZone?: string;
  readonly digestHour?: string;
}

export const settingsCommand = () =>
  inWorkspace(
    newCommand('settings', 'Show who is told about alarms, and which ones are muted or turned off.', [
      'alarm settings',
      'alarm settings --json',
    ]),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id: workspace_id } = await findWorkspace(api, workspace);
    const settings = await api.call('GET', '/workspaces/:workspace_id/alarm-settings', {
      params: { workspace_id },
    });
    out.result(settings, out.isJson ? '' : await settingsText(api, workspace_id, settings));
  });

export const setCommand = () =>
  inWorkspace(
    newCommand('set', 'Change who is told about alarms, and when.', [
      'alarm set --time-zone Europe/Berlin --digest-hour 8',
      'alarm set --email off',
    ]),
  )
    .addOption(new Option('--email <state>', 'emails to the owners').choices(['on', 'off']))
    .option('--time-zone <zone>', 'in which the usual times of leads are learnt, such as Europe/Berlin')
    .option('--digest-hour <hour>', 'when the daily digest is sent, 0 to 23')
    .action(async (options: SetOptions, command: Command) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0)
        throw new CliError('usage', 'Name what to change: --email, --time-zone or --digest-hour.');
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const settings = await changeSettings(api, id, () => change);
      out.result(settings, out.isJson ? '' : await settingsText(api, id, settings));
    });

function changeOf({ email, timeZone, digestHour }: SetOptions): Partial<ChangeableSettings> {
  return {
    ...(email === undefined ? {} : { email_owners: email === 'on' }),
    ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    ...(digestHour === undefined ? {} : { digest_hour: hourOf(digestHour) }),
  };
}

function hourOf(text: string): number {
  if (!/^(?:1?\d|2[0-3])$/.test(text))
    throw new CliError('usage', '--digest-hour must be a whole number, 0 to 23.');
  return Number(text);
}

export async function settingsText(
  api: Api,
  workspaceId: string,
  settings: AlarmSettingsView,
): Promise<string> {
  const { email_owners, emails_available, updated_at, updated_by, rules } = settings;
  const ids = rules.flatMap(({ form_id }) => form_id ?? []);
  const forms = await new KnownForms(api, workspaceId).of(ids);
  const nameOf = (id: string) => forms.get(id)?.slug ?? id;
  return detailLines([
    ['Emails', emails_available ? (email_owners ? 'on' : 'off') : 'off: the service has no mail server'],
    ['Time zone', settings.time_zone],
    ['Digest', `at ${settings.digest_hour}:00`],
    ['Changed', updated_at === null ? 'never' : `${updated_at} by ${updated_by}`],
    ...rules.map((rule) => [rule.kind, ruleText(rule, nameOf)] as const),
  ]).join('\n');
}

function ruleText(rule: AlarmSettingsView['rules'][number], nameOf: (formId: string) => string): string {
  const { form_id, token_id, enabled, muted_until, sensitive, silent_days } = rule;
  const about =
    form_id === null ? '' : `${nameOf(form_id)}${token_id === null ? '' : `, token ${token_id}`}: `;
  const says = [
    ...(enabled ? [] : ['off']),
    ...(muted_until === null ? [] : [`muted until ${muted_until}`]),
    ...(sensitive ? ['sensitive'] : []),
    ...(silent_days === null ? [] : [`after ${silent_days} days without a lead`]),
  ];
  return about + (says.join(', ') || 'on');
}
