import { hash } from 'node:crypto';
import type { EventFacts } from '../lead-facts.ts';

const idCharacters = 32;

/**
 * The ID of an event outside: derived, so that every try, every replay and the feed name it alike, and it says nothing
 * about how many events there are.
 */
export function eventId({ workspaceId, number, type, submissionId }: Omit<EventFacts, 'at'>): string {
  const parts = ['leadgate event', workspaceId, String(number), type, submissionId ?? ''];
  return hash('sha256', parts.join('\n'), 'hex').slice(0, idCharacters);
}

/** The header `webhook-id`, by which receivers recognise a retry. */
export function webhookId(event: Omit<EventFacts, 'at'>): string {
  return `msg_${eventId(event)}`;
}
