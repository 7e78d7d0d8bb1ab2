import { type Command, Option } from 'commander';
import { type AlarmKind, alarmKinds } from '../../../domain/alarm/alarm.ts';
import { alarmSettingsLimits } from '../../../domain/alarm/settings.ts';
import type { Api } from '../../api.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { durationSeconds } from '../../input.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { changedRules, type RuleView } from './change-rules.ts';
import { changeSettings } from './change-settings.ts';
import { settingsText } from './settings.ts';

interface RuleOptions extends WorkspaceOption {
  readonly kind?: readonly AlarmKind[];
  readonly all?: boolean;
  readonly form?: string;
}

interface MuteOptions extends RuleOptions {
  readonly until?: string;
  readonly for?: string;
}

interface SilenceOptions extends RuleOptions {
  readonly sensitive?: 'on' | 'off';
  readonly days?: string;
}

const formOption = ['-f, --form <form>', 'only about this form: slug, name or ID; default: all'] as const;

/** For commands that choose alarms by kind. */
function ofKinds(command: Command): Command {
  return inWorkspace(command)
    .addOption(new Option('--kind <kind...>', 'alarms of these kinds').choices(alarmKinds))
    .option('--all', 'alarms of every kind')
    .option(...formOption);
}

export const muteCommand = () =>
  ofKinds(
    newCommand('mute', 'Tell nobody about some alarms for a while. They are still raised and listed.', [
      'alarm mute --kind silence --form contact --until 2027-01-07T08:00:00Z',
      'alarm mute --all --for 2h',
    ]),
  )
    .option('--until <time>', 'when it ends, such as 2027-01-07T08:00:00Z')
    .option('--for <duration>', 'how long from now, such as 2h or 7d')
    .action(async (options: MuteOptions, command: Command) => {
      checkKinds(options);
      const { until } = options;
      if ((until === undefined) === (options.for === undefined))
        throw new CliError('usage', 'Say how long: --until <time> or --for <duration>.');
      const seconds = options.for === undefined ? 0 : durationSeconds(options.for);
      await change(options, command, (api) => ({
        muted_until: until ?? new Date(api.now() + seconds * 1_000).toISOString(),
      }));
    });

export const unmuteCommand = () =>
  ofKinds(
    newCommand('unmute', 'End a mute.', ['alarm unmute --kind silence --form contact', 'alarm unmute --all']),
  ).action(async (options: RuleOptions, command: Command) => {
    await change(checkKinds(options), command, () => ({ muted_until: null }));
  });

export const enableCommand = () =>
  ofKinds(newCommand('enable', 'Raise alarms of a kind again.', ['alarm enable --kind spam_surge'])).action(
    async (options: RuleOptions, command: Command) => {
      await change(checkKinds(options), command, () => ({ enabled: true }));
    },
  );

export const disableCommand = () =>
  ofKinds(
    newCommand('disable', 'Raise no alarms of a kind. Those that are open are closed.', [
      'alarm disable --kind spam_surge',
      'alarm disable --kind silence field_vanished --form contact',
    ]),
  ).action(async (options: RuleOptions, command: Command) => {
    await change(checkKinds(options), command, () => ({ enabled: false }));
  });

export const silenceCommand = () =>
  inWorkspace(
    newCommand('silence', 'Choose when missing leads raise an alarm.', [
      'alarm silence --form contact --days 3',
      'alarm silence --sensitive on',
    ]),
  )
    .option(...formOption)
    .option('--days <count>', 'after this many days without a lead, whatever is usual; "none" ends it')
    .addOption(
      new Option('--sensitive <state>', 'sooner, with about twice as many false alarms').choices([
        'on',
        'off',
      ]),
    )
    .addHelpText('after', '\nleadgate alarm rhythm <form> says when an alarm would be raised.')
    .action(async (options: SilenceOptions, command: Command) => {
      const { days, sensitive } = options;
      if (days === undefined && sensitive === undefined)
        throw new CliError('usage', 'Name what to change: --days or --sensitive.');
      const wanted = {
        ...(days === undefined ? {} : { silent_days: daysOf(days) }),
        ...(sensitive === undefined ? {} : { sensitive: sensitive === 'on' }),
      };
      await change({ ...options, kind: ['silence'] }, command, () => wanted);
    });

/** Nobody changes everything by leaving something out. */
function checkKinds(options: RuleOptions): RuleOptions {
  if ((options.kind === undefined) === (options.all !== true))
    throw new CliError('usage', 'Name the kinds with --kind, or use --all, but not both.');
  return options;
}

async function change(
  { kind = alarmKinds, form, workspace }: RuleOptions,
  command: Command,
  wanted: (api: Api) => Partial<RuleView>,
): Promise<void> {
  const { api, out } = sessionOf(command);
  const { id } = await findWorkspace(api, workspace);
  const formId = form === undefined ? null : (await findForm(api, id, form)).id;
  const settings = await changeSettings(api, id, ({ rules }) => ({
    rules: changedRules(rules, { kinds: kind, formId }, wanted(api)),
  }));
  out.result(settings, out.isJson ? '' : await settingsText(api, id, settings));
}

function daysOf(text: string): number | null {
  if (text === 'none') return null;
  const days = Number(text);
  if (!/^[1-9]\d{0,2}$/.test(text) || days > alarmSettingsLimits.silentDays)
    throw new CliError('usage', `--days must be 1 to ${alarmSettingsLimits.silentDays}, or none.`);
  return days;
}
