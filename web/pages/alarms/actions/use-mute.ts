import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { AlarmView } from '../../../../src/contract/alarms/alarm.ts';
import type { AlarmSettingsView } from '../../../../src/contract/alarms/alarm-settings.ts';
import { alarmSettingsQuery, saveAlarmSettings } from '../../../api/alarm-queries.ts';
import { exactTime } from '../../../parts/time.tsx';
import { toastDone, toastProblem } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { type AlarmRule, changeRule, subjectOf } from '../alarm-rules.ts';

/** Mutes what an alarm is about until a time, or no longer with null. */
export function useMute(alarm: AlarmView, onDone?: () => void) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  return useMutation({
    async mutationFn(muted_until: string | null) {
      // As they are now: the page may not have read them yet.
      const settings = await queryClient.fetchQuery({ ...alarmSettingsQuery(workspaceId), staleTime: 0 });
      const rules = changeRule(settings.rules, subjectOf(alarm), { muted_until });
      return saveAlarmSettings(workspaceId, changeOf(settings, rules));
    },
    onSuccess(_, muted_until) {
      onDone?.();
      toastDone(muted_until === null ? 'No longer muted.' : `Muted until ${exactTime(muted_until)}.`);
      return queryClient.invalidateQueries({ queryKey: ['alarms', workspaceId] });
    },
    onError: toastProblem,
  });
}

function changeOf(settings: AlarmSettingsView, rules: AlarmRule[]) {
  const { email_owners, time_zone, digest_hour, version } = settings;
  return { email_owners, time_zone, digest_hour, rules, expected_version: version };
}
