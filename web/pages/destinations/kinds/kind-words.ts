import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { countText } from '../../../parts/numbers.ts';

export type Kind = Destination['kind'];
export type OfKind<One extends Kind> = Extract<Destination, { kind: One }>;
type ChatService = OfKind<'chat'>['service'];
type DisabledReason = NonNullable<Destination['disabled_reason']>;

export const kindNames: Readonly<Record<Kind, string>> = {
  webhook: 'Webhook',
  email: 'Email',
  chat: 'Chat',
  hubspot: 'HubSpot',
};

export const serviceNames: Readonly<Record<ChatService, string>> = {
  slack: 'Slack',
  mattermost: 'Mattermost',
  teams: 'Microsoft Teams',
  discord: 'Discord',
};

/** Whether people read what is sent, so that it has long lines. */
export const isRead = (kind: Kind | undefined) => kind === 'email' || kind === 'chat';

/** One line that says where leads go. */
export function placeOf(destination: Destination): string {
  switch (destination.kind) {
    case 'webhook':
      // It comes from an owner, and need not be a URL.
      return URL.parse(destination.url)?.host || destination.url;
    case 'email': {
      const { recipients } = destination;
      const out = recipients.filter(({ status }) => status === 'waiting' || status === 'unsubscribed').length;
      const note = out === 0 ? '' : `, ${out} ${out === 1 ? 'gets' : 'get'} no emails`;
      return `${countText(recipients.length, 'recipient')}${note}`;
    }
    case 'chat':
      return `${serviceNames[destination.service]}, ${destination.host}`;
    case 'hubspot':
      return `Contacts, ${countText(destination.mapping.length, 'property')}`;
  }
}

/** Why the service disabled a destination, in a few words and in a sentence with what to do. */
export function disabledWords(kind: Kind, reason: DisabledReason): { short: string; text: string } {
  switch (reason) {
    case 'gone':
      return kind === 'chat'
        ? {
            short: 'URL no longer works',
            text: 'The chat service no longer knows the URL: its webhook was deleted. Create another one there, and replace the URL.',
          }
        : {
            short: 'Receiver gone (410)',
            text: 'The receiver responded with 410 Gone: it does not want any more deliveries.',
          };
    case 'refused':
      return {
        short: 'Messages refused',
        text: 'The chat service does not accept the messages. Check that you chose the right service.',
      };
    case 'no_recipients':
      return {
        short: 'No recipients',
        text: 'Nobody is left who gets the emails. Add a recipient, or ask one again, and then resume it.',
      };
    case 'failing':
      return { short: 'Failed for five days', text: 'No delivery succeeded for five days.' };
  }
}
