/** Apart from the other terms: the bell needs these on every page. */
export { alarmSeverities, alarmSeverityTexts } from '../../domain/alarm/alarm.ts';
