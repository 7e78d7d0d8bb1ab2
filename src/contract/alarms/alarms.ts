import { z } from 'zod';
import { alarmKinds } from '../../domain/alarm/alarm.ts';
import { call, json, none, page } from '../call.ts';
import { id, pageQuery, strict } from '../shape.ts';
import { alarmPage, instanceAlarmPage, wholeAlarm } from './alarm.ts';
import { alarmSettings, alarmSettingsDraft } from './alarm-settings.ts';
import { readClockDrift, readRhythm } from './watching.ts';

const state = z
  .enum(['open', 'closed', 'all'])
  .default('all')
  .describe('Only those that are open, or only those that are over.');

const alarmsQuery = strict({
  state,
  kind: z.enum(alarmKinds).optional().describe('Alarms of this kind only.'),
  form_id: id.optional().describe('Alarms about this form only.'),
  ...pageQuery,
});
const instanceAlarmsQuery = strict({ state, ...pageQuery });

const tag = 'Alarms';
const mayRead = { by: 'owner', scope: 'alarms:read' } as const;
const mayWrite = { by: 'owner', scope: 'alarms:write' } as const;

export const listAlarms = call({
  method: 'get',
  path: '/workspaces/:workspace_id/alarms',
  tag,
  summary: 'List alarms',
  description:
    'What is wrong with the leads of the workspace, or was within the last 400 days. Newest first.',
  access: mayRead,
  query: alarmsQuery,
  answer: page(alarmPage),
});

export const readAlarm = call({
  method: 'get',
  path: '/workspaces/:workspace_id/alarms/:alarm_id',
  tag,
  summary: 'Read an alarm',
  access: mayRead,
  answer: json(200, wholeAlarm),
});

export const acknowledgeAlarm = call({
  method: 'post',
  path: '/workspaces/:workspace_id/alarms/:alarm_id/acknowledgement',
  tag,
  summary: 'Acknowledge an alarm',
  description: 'Nobody is reminded of it any more. It closes when it is over.',
  access: mayWrite,
  answer: none,
});

export const readAlarmSettings = call({
  method: 'get',
  path: '/workspaces/:workspace_id/alarm-settings',
  tag,
  summary: 'Read the alarm settings',
  access: mayRead,
  answer: json(200, alarmSettings),
});

export const setAlarmSettings = call({
  method: 'put',
  path: '/workspaces/:workspace_id/alarm-settings',
  tag,
  summary: 'Change the alarm settings',
  description: 'Replaces all settings. Those left out get their defaults.',
  access: mayWrite,
  audited: ['email_owners', 'time_zone', 'digest_hour'],
  body: alarmSettingsDraft,
  answer: json(200, alarmSettings),
  problems: ['version_conflict'],
});

export const listInstanceAlarms = call({
  method: 'get',
  path: '/operator/alarms',
  tag: 'Operator',
  summary: 'List alarms of the instance',
  description: 'What is wrong with the whole service, or was. Newest first.',
  access: { by: 'operator' },
  query: instanceAlarmsQuery,
  answer: page(instanceAlarmPage),
});

export const acknowledgeInstanceAlarm = call({
  method: 'post',
  path: '/operator/alarms/:alarm_id/acknowledgement',
  tag: 'Operator',
  summary: 'Acknowledge an alarm of the instance',
  access: { by: 'operator' },
  answer: none,
});

export const alarmCalls = [
  listAlarms,
  readAlarm,
  acknowledgeAlarm,
  readAlarmSettings,
  setAlarmSettings,
  readRhythm,
  readClockDrift,
  listInstanceAlarms,
  acknowledgeInstanceAlarm,
] as const;
