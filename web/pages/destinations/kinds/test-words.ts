import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { type Kind, type OfKind, serviceNames } from './kind-words.ts';

/** What a test does. */
export function testText(destination: Destination): string {
  switch (destination.kind) {
    case 'webhook':
      return `Sends a sample lead with the event type test to ${destination.url}, signed like any other.`;
    case 'email':
      return `Sends an email with a sample lead, marked as a test, to all recipients who get emails${emailNote(destination)}.`;
    case 'chat':
      return `Posts a message with a sample lead, marked as a test, to the channel in ${serviceNames[destination.service]}.`;
    case 'hubspot':
      return 'Creates or updates the contact ada@example.com in HubSpot, from a sample lead. You can delete it there afterwards.';
  }
}

function emailNote({ recipients }: OfKind<'email'>): string {
  const reached = recipients.filter(({ status }) => status === 'member' || status === 'confirmed');
  return reached.length === 0
    ? '; at present that is nobody'
    : ` (${reached.length} of ${recipients.length})`;
}

interface ResultWords {
  readonly accepted: string;
  readonly refused: string;
  /** Before the number that came back. */
  readonly status: string;
  /** What came back, and what was sent. */
  readonly response: string;
  readonly request: string;
}

export const resultWords: Readonly<Record<Kind, ResultWords>> = {
  webhook: {
    accepted: 'The receiver accepted the test.',
    refused: 'The receiver did not accept the test',
    status: 'status',
    response: 'Response',
    request: 'Request',
  },
  email: {
    accepted: 'The mail server accepted the test. Look for it in the inbox, and among spam.',
    refused: 'The mail server did not accept the test',
    status: 'reply code',
    response: 'Reply',
    request: 'Email',
  },
  chat: {
    accepted: 'The chat service accepted the test. Look for it in the channel.',
    refused: 'The chat service did not accept the test',
    status: 'status',
    response: 'Response',
    request: 'Request',
  },
  hubspot: {
    accepted: 'HubSpot created or updated the contact.',
    refused: 'HubSpot did not accept the contact',
    status: 'status',
    response: 'Response',
    request: 'Request',
  },
};
