import { z } from 'zod';
import { alarmKinds } from '../../domain/alarm/alarm.ts';
import { alarmSettingsLimits, defaultAlarmSettings } from '../../domain/alarm/settings.ts';
import { isTimeZone } from '../../domain/destination/kind/digest.ts';
import { id, strict, time, timeInput } from '../shape.ts';

const timeZone = z.string().max(64).refine(isTimeZone, 'use the name of a time zone, such as Europe/Berlin');
const hour = z.int().min(0).max(23);
const silentDays = z
  .int()
  .min(1)
  .max(alarmSettingsLimits.silentDays)
  .nullable()
  .describe('Only of `silence`: tell after this many days without a lead, whatever is usual.');
const ruleMembers = {
  kind: z.enum(alarmKinds),
  form_id: id.nullable().default(null).describe('Only alarms about this form; null for all.'),
  token_id: id.nullable().default(null).describe('Only alarms about this token. Needs its `form_id`.'),
  enabled: z.boolean().default(true).describe('False: alarms of this kind are not raised.'),
  sensitive: z
    .boolean()
    .default(false)
    .describe('Only of `silence`: sooner, with about twice as many false alarms.'),
  silent_days: silentDays.default(null),
};
const about =
  'The most specific rule applies: about the token, else the form, else the kind. Without one an alarm is raised and told.';

export const alarmSettingsDraft = strict({
  email_owners: z.boolean().default(defaultAlarmSettings.emailOwners).describe('Send emails to the owners.'),
  time_zone: timeZone
    .default(defaultAlarmSettings.timeZone)
    .describe('An IANA name. When leads usually come is learnt in this time zone.'),
  digest_hour: hour
    .default(defaultAlarmSettings.digestHour)
    .describe('The hour of the day, in the time zone, at which the digest is sent.'),
  rules: z
    .array(
      strict({
        ...ruleMembers,
        muted_until: timeInput.nullable().default(null).describe('Nobody is told until then.'),
      }),
    )
    .max(alarmSettingsLimits.rules)
    .default([])
    .describe(about),
  expected_version: z
    .int()
    .min(0)
    .optional()
    .describe(
      'The version that you read before the change. If it is no longer the newest, nothing is saved.',
    ),
}).meta({ id: 'AlarmSettingsChange' });

export const alarmSettings = z
  .object({
    version: z.int().describe('0 if nobody has changed the settings: the defaults apply.'),
    email_owners: z.boolean(),
    emails_available: z.boolean().describe('False if the service has no mail server.'),
    time_zone: z.string(),
    digest_hour: hour,
    rules: z.array(z.object({ ...ruleMembers, muted_until: time.nullable() })).describe(about),
    updated_at: time.nullable(),
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'AlarmSettings' });

export type AlarmSettingsDraft = z.output<typeof alarmSettingsDraft>;
export type AlarmSettingsView = z.output<typeof alarmSettings>;
