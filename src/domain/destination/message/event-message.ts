import { isAlarmEvent } from '../alarm/alarm-event.ts';
import { alarmMessage } from '../alarm/alarm-message.ts';
import type { EventContent } from '../request/delivery-request.ts';
import type { DigestMessage } from './digest-message.ts';
import { type Message, type MessageOptions, messageOf } from './message.ts';

/** What people read about any event. Null if there is nothing to say: the lead is no longer there. */
export function eventMessage(content: EventContent, options: MessageOptions): Message | DigestMessage | null {
  return isAlarmEvent(content.event.type) ? alarmMessage(content, options) : messageOf(content, options);
}
