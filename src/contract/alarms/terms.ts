import { alarmSettingsLimits } from '../../domain/alarm/settings.ts';

/** What the settings area needs of alarms, without the schemas. */
export { alarmKinds } from '../../domain/alarm/alarm.ts';
export { alarmKindTexts } from '../../domain/alarm/kind-texts.ts';
export const silentDaysMax = alarmSettingsLimits.silentDays;
