import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Calls, InputOf, Lists } from '../../src/contract/calls.ts';
import { api } from './client.ts';

const pageMax = 50;
/** The bell counts this many at most. */
const openMax = 100;
const minuteMs = 60_000;
const inWorkspace = (w: string) => ({ workspace_id: w });
const ofForm = (w: string, f: string) => ({ workspace_id: w, form_id: f });

type AlarmsAsked = NonNullable<InputOf<Lists, '/workspaces/:workspace_id/alarms'>['query']>;
export type AlarmFilters = Pick<AlarmsAsked, 'state' | 'kind' | 'form_id'>;
export type AlarmSettingsChange = NonNullable<
  InputOf<Calls['PUT'], '/workspaces/:workspace_id/alarm-settings'>['body']
>;

export const alarmListQuery = (w: string, filters: AlarmFilters) =>
  infiniteQueryOptions({
    queryKey: ['alarms', w, 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      api('GET', '/workspaces/:workspace_id/alarms', {
        params: inWorkspace(w),
        query: { ...filters, limit: pageMax, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
  });
/** Also polled: outside of the workspace nothing says that it changed. */
export const openAlarmsQuery = (w: string) =>
  queryOptions({
    queryKey: ['alarms', w, 'open'],
    queryFn: ({ signal }) =>
      api('GET', '/workspaces/:workspace_id/alarms', {
        params: inWorkspace(w),
        query: { state: 'open', limit: openMax },
        signal,
      }),
    refetchInterval: minuteMs,
  });
export const alarmQuery = (w: string, id: string) =>
  queryOptions({
    queryKey: ['alarms', w, 'one', id],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/alarms/:alarm_id', {
        params: { workspace_id: w, alarm_id: id },
      }),
  });
export const alarmSettingsQuery = (w: string) =>
  queryOptions({
    queryKey: ['alarms', w, 'settings'],
    queryFn: () => api('GET', '/workspaces/:workspace_id/alarm-settings', { params: inWorkspace(w) }),
  });
export const rhythmQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['alarms', w, 'rhythm', f],
    queryFn: () => api('GET', '/workspaces/:workspace_id/forms/:form_id/rhythm', { params: ofForm(w, f) }),
  });
/** Polled: requests are counted by the minute, and nothing says so. */
export const clockDriftQuery = (w: string, f: string) =>
  queryOptions({
    queryKey: ['alarms', w, 'drift', f],
    queryFn: () =>
      api('GET', '/workspaces/:workspace_id/forms/:form_id/clock-drift', { params: ofForm(w, f) }),
    refetchInterval: minuteMs,
  });

export const acknowledge = (w: string, id: string) =>
  api('POST', '/workspaces/:workspace_id/alarms/:alarm_id/acknowledgement', {
    params: { workspace_id: w, alarm_id: id },
  });
export const saveAlarmSettings = (w: string, body: AlarmSettingsChange) =>
  api('PUT', '/workspaces/:workspace_id/alarm-settings', { params: inWorkspace(w), body });
