import type { Item, NotSent } from '../../channels/channel.ts';
import type { DueDelivery, SendingSettings } from '../../db/deliver/deliver-database.ts';
import { alarmDataFor, isAlarmEvent } from '../../domain/destination/alarm/alarm-event.ts';
import { matches } from '../../domain/destination/filter.ts';

const erased: NotSent = { state: 'cancelled', errorClass: 'erased', error: 'The lead was erased.' };
const filtered: NotSent = {
  state: 'skipped',
  errorClass: 'filtered',
  error: 'The lead no longer meets the filter.',
};

const notWanted: NotSent = {
  state: 'skipped',
  errorClass: 'filtered',
  error: 'The destination no longer gets alarms about this form.',
};

/** The lead of the item is what was read just now. */
export function whyNotSent(
  { delivery: { eventType, eventData, leadBytes }, lead, isOnlyCounted }: Item,
  { id, formIds, filter }: Pick<SendingSettings, 'id' | 'formIds' | 'filter'>,
): NotSent | null {
  if (isAlarmEvent(eventType)) return alarmDataFor(eventData, { id, formIds }) === null ? notWanted : null;
  if (!needsLead(eventType)) return null;
  // Nothing of it is told, so whether it still meets the filter does not matter.
  if (isOnlyCounted) return leadBytes === null ? erased : null;
  if (lead === null) return erased;
  const isOfForm = formIds === null || formIds.includes(String(lead.formId));
  return isOfForm && matches(filter, lead) ? null : filtered;
}

export function needsLead(eventType: DueDelivery['eventType']): boolean {
  return eventType !== 'lead.erased' && eventType !== 'destination.disabled' && !isAlarmEvent(eventType);
}
