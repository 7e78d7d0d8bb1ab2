import type { UseFormReturnType } from '@mantine/form';
import type { AlarmSettingsView } from '../../../../src/contract/alarms/alarm-settings.ts';
import type { AlarmRule } from '../alarm-rules.ts';

/** The settings while they are edited, with the version that they come from. */
export interface AlarmSettingsValues {
  readonly expected_version: number;
  readonly email_owners: boolean;
  readonly time_zone: string;
  readonly digest_hour: number;
  readonly rules: AlarmRule[];
  readonly [name: string]: unknown;
}

/** Each card of the page edits a part of them. */
export interface SettingsDraft {
  readonly form: UseFormReturnType<AlarmSettingsValues>;
}

export function valuesOf(settings: AlarmSettingsView): AlarmSettingsValues {
  const { version, email_owners, time_zone, digest_hour, rules } = settings;
  return { expected_version: version, email_owners, time_zone, digest_hour, rules };
}
