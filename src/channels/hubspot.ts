import type { Logger } from 'pino';
import { contactOf, type HubspotContact } from '../domain/destination/hubspot/contact.ts';
import type { Mapping } from '../domain/destination/mapping.ts';
import { contactsPerRequestMax } from '../net/hubspot/hubspot-client.ts';
import { type Channel, type ChannelDeps, type Item, type NotSent, unwritable } from './channel.ts';
import { ContactRequests, type SentContact } from './contacts/contact-requests.ts';

const noEmail: NotSent = {
  state: 'skipped',
  errorClass: 'no_email',
  error: 'The lead has no email address.',
};

/** Contacts that are created or changed together. One that HubSpot refuses is found, and does not hold up the others. */
export function hubspotChannel({ sender, clock, log, hubspotUrl: url }: ChannelDeps): Channel {
  return {
    itemsMax: contactsPerRequestMax,
    atOnceMax: 1,
    async send({ destination: { mapping }, opened, items }, signal) {
      const account = { url, token: opened.secrets[0] };
      const requests = new ContactRequests(account, { sender, clock, signal });
      const made = items.map((item) => contactOrNot(item, mapping, log));
      const contacts = made.flatMap((contact, place): SentContact[] =>
        'state' in contact ? [] : [{ place, contact, delivery: (items[place] as Item).delivery }],
      );
      for (const group of inOrder(contacts)) await requests.send(group);
      return made.map((contact, place) => ('state' in contact ? contact : requests.resultOf(place)));
    },
  };
}

function contactOrNot({ delivery, lead }: Item, mapping: Mapping, log: Logger): HubspotContact | NotSent {
  try {
    return (lead === null ? null : contactOf(mapping, lead)) ?? noEmail;
  } catch (err) {
    log.error({ err, delivery_id: delivery.id }, 'contact of a delivery cannot be written');
    return unwritable;
  }
}

/**
 * HubSpot refuses a request with the same address twice. So the first leads of all addresses go together, then the second
 * ones: what a person sent last stays. Leads that were tried before are apart, because one of them may have been refused
 * and would be again, together with all new ones.
 */
function inOrder(contacts: readonly SentContact[]): readonly (readonly SentContact[])[] {
  const seen = new Map<string, number>();
  const groups = new Map<number, SentContact[]>();
  const sorted = contacts.toSorted((a, b) => a.delivery.eventNumber - b.delivery.eventNumber);
  for (const sent of sorted) {
    const { id } = sent.contact;
    const turn = seen.get(id) ?? 0;
    seen.set(id, turn + 1);
    const place = 2 * turn + (sent.delivery.attempts > 0 ? 0 : 1);
    groups.set(place, [...(groups.get(place) ?? []), sent]);
  }
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}
