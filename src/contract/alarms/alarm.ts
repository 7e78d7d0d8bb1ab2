import { z } from 'zod';
import { alarmEnds, alarmKinds, alarmSeverities, instanceAlarmKinds } from '../../domain/alarm/alarm.ts';
import { id, pageOf, time } from '../shape.ts';

const fact = z.object({ label: z.string(), value: z.string() });

const alarmMembers = {
  id,
  severity: z
    .enum(alarmSeverities)
    .describe('`high` and `medium` are told immediately, `low` once a day in a digest.'),
  reason: z
    .string()
    .nullable()
    .describe('A rejection reason, or which limit or date it is about; null if its kind has neither.'),
  opened_at: time,
  last_at: time.describe('When it was last found to be wrong.'),
  closed_at: time.nullable().describe('Null while it is open.'),
  closed_as: z
    .enum(alarmEnds)
    .nullable()
    .describe(
      '`recovered`: it is over. `superseded`: another alarm says more. `removed`: what it is about was deleted or turned off.',
    ),
  acknowledged_at: time.nullable().describe('Since then there are no reminders.'),
  acknowledged_by: z.string().nullable(),
  title: z.string().describe('What is wrong, in one line.'),
  facts: z.array(fact).describe('The evidence, for people.'),
  path: z.string().describe('The page of the settings area that shows more, as a path of this service.'),
  evidence: z
    .record(z.string(), z.unknown())
    .describe('The evidence, for programs. Contains nothing of a lead.'),
};

const alarm = z
  .object({
    ...alarmMembers,
    kind: z.enum(alarmKinds),
    form_id: id.nullable(),
    token_id: id.nullable(),
    destination_id: id.nullable(),
    muted_until: time.nullable().describe('Nobody is told until then.'),
  })
  .meta({ id: 'Alarm' });

const notice = z.object({
  what: z.enum(['opened', 'reminder', 'closed', 'digest']),
  at: time,
  state: z
    .enum(['told', 'collected', 'digested', 'muted'])
    .describe('`collected`: waits for a digest. `digested`: was in one. `muted`: nobody was told.'),
  email_state: z.enum(['none', 'due', 'sent', 'failed']).describe('Of the emails to the owners.'),
  emails_sent: z.int().describe('How many owners have it.'),
});

export const wholeAlarm = alarm.extend({ notices: z.array(notice) }).meta({ id: 'WholeAlarm' });

const instanceAlarm = z
  .object({ ...alarmMembers, kind: z.enum(instanceAlarmKinds) })
  .meta({ id: 'InstanceAlarm' });

export const alarmPage = pageOf(alarm).meta({ id: 'AlarmPage' });
export const instanceAlarmPage = pageOf(instanceAlarm).meta({ id: 'InstanceAlarmPage' });

export type AlarmView = z.output<typeof alarm>;
export type WholeAlarmView = z.output<typeof wholeAlarm>;
export type InstanceAlarmView = z.output<typeof instanceAlarm>;
