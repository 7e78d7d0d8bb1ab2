import { createHash } from 'node:crypto';
import type { Recipient } from '../../db/deliver/deliver-database.ts';
import { linkToken } from '../../domain/destination/kind/link-token.ts';
import { type DigestMessage, digestOf } from '../../domain/destination/message/digest-message.ts';
import { emailContent } from '../../domain/destination/message/email-content.ts';
import { eventMessage } from '../../domain/destination/message/event-message.ts';
import type { Message } from '../../domain/destination/message/message.ts';
import type { DeliveredEmail } from '../../mail/mail.ts';
import type { Item, Parcel } from '../channel.ts';
import { shownContents } from '../content.ts';

export interface EmailWriter {
  /** With those items that this recipient does not have yet. */
  write(recipient: Recipient, items: readonly Item[]): DeliveredEmail;
}

/** Throws if there is nothing to write about. */
export function emailWriter(parcel: Parcel): EmailWriter {
  const { destination, opened, publicUrl } = parcel;
  // Most recipients get the same.
  const whole = messageFor(parcel, parcel.items);
  return {
    write(recipient, items) {
      const message = items.length === parcel.items.length ? whole : messageFor(parcel, items);
      const token = linkToken('unsubscribe', recipient.id, null, opened.secrets[0]);
      const unsubscribeUrl = publicUrl === null ? null : `${publicUrl}/emails/unsubscribe#token=${token}`;
      const content = emailContent(message, { destinationName: destination.name, unsubscribeUrl });
      return {
        ...content,
        id: emailId(recipient, items),
        to: recipient.address,
        oneClickUrl: publicUrl === null ? null : `${publicUrl}/unsubscribe/${token}`,
      };
    },
  };
}

function messageFor(
  { destination, isDigest, publicUrl }: Parcel,
  items: readonly Item[],
): Message | DigestMessage {
  if (destination.kind !== 'email') throw new Error('not an email');
  const { workspaceId, config } = destination;
  const options = { linkOnly: config.linkOnly, publicUrl };
  const contents = shownContents(workspaceId, items);
  if (isDigest) return digestOf(workspaceId, items.length, contents, options);
  const message = contents[0] === undefined ? null : eventMessage(contents[0], options);
  if (message === null) throw new Error('the event has no lead');
  return message;
}

/** Of all that it is about: a digest that is tried again with further leads is another email. */
function emailId({ id }: Recipient, items: readonly Item[]): string {
  const hash = createHash('sha256').update(id);
  for (const deliveryId of items.map(({ delivery }) => delivery.id).toSorted()) hash.update(deliveryId);
  return hash.digest('hex').slice(0, 32);
}
