import type { AlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { alarmKindTexts } from '../../../../src/contract/alarms/terms.ts';
import { subjectOf } from '../alarm-rules.ts';

/** What is muted with the alarm: all of its kind about the same. */
export function mutedText(alarm: AlarmView): string {
  const { name } = alarmKindTexts[alarm.kind];
  const { form_id, token_id } = subjectOf(alarm);
  if (token_id !== null) return `“${name}” for this token`;
  return form_id === null ? `“${name}” in this workspace` : `“${name}” for this form`;
}
