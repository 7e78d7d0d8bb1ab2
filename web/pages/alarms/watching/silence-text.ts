import type { FormRhythm } from '../../../../src/contract/alarms/watching.ts';
import { countText } from '../../../parts/numbers.ts';

const hoursMax = 48;
const hoursPerDay = 24;

/** "19 hours", "3 days": as exact as it is known. */
function spanText(hours: number): string {
  if (hours < 1) return countText(Math.round(hours * 60), 'minute');
  return hours <= hoursMax
    ? countText(Math.round(hours), 'hour')
    : countText(Math.round(hours / hoursPerDay), 'day');
}

type Watching = Pick<FormRhythm, 'state' | 'notice_hours' | 'silent_days'>;

/** When a silence of the form would be noticed, in a sentence. */
export function silenceText({ state, notice_hours, silent_days }: Watching): string {
  if (state === 'off') return 'Alarms about silence are turned off for this form.';
  if (state === 'inactive') return 'The form accepts no leads at the moment, so its silence is no alarm.';
  const isByDays =
    silent_days !== null && (notice_hours === null || notice_hours >= silent_days * hoursPerDay);
  if (isByDays) return `You are told after ${countText(silent_days, 'day')} without a lead.`;
  if (notice_hours !== null) return `We would notice after about ${spanText(notice_hours)} without a lead.`;
  if (state === 'too_few')
    return 'Fewer than five leads a week are too few to notice a silence. Set a number of days instead.';
  return 'We are still learning when leads usually come. After two weeks of leads we notice a silence.';
}

/** The same in a list of forms. */
export function shortSilenceText(watching: Watching): string {
  const { state, notice_hours, silent_days } = watching;
  if (state === 'off') return 'turned off';
  if (state === 'inactive') return 'inactive';
  if (notice_hours !== null) return `after about ${spanText(notice_hours)}`;
  if (silent_days !== null) return `after ${countText(silent_days, 'day')}`;
  return state === 'too_few' ? 'too few leads' : 'still learning';
}
