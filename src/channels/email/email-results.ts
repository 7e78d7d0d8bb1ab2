import type { Recipient } from '../../db/deliver/deliver-database.ts';
import type { ResponseMeaning } from '../../domain/destination/retry/schedule.ts';
import type { MailReply } from '../../mail/mail-reply.ts';
import type { Item, Tried } from '../channel.ts';

/** What the mail server said to the email of each recipient who got one, by ID. */
export type Replies = ReadonlyMap<string, MailReply>;

/** For the first recipient for whom there was no time. */
export const stoppedReply: MailReply = {
  isAccepted: false,
  isAboutRecipient: false,
  status: null,
  text: 'There was no time for all recipients. The others follow with the next try.',
};

export function failedTry(errorClass: string, error: string): Tried {
  return {
    ...{ meaning: 'failed', disables: null, isLeadRefused: false, status: null, retryAfterMs: null },
    ...{ errorClass, error, head: null, ms: 0, sentTo: [] },
  };
}

/** A delivery is done when everyone who receives the emails has it. */
export function resultsOf(
  items: readonly Item[],
  receiving: readonly Recipient[],
  replies: Replies,
): readonly Tried[] {
  const accepted = receiving.filter(({ id }) => replies.get(id)?.isAccepted === true).map(({ id }) => id);
  return items.map(({ delivery, isOnlyCounted }) => {
    const reached = accepted.filter((id) => !delivery.sentTo.includes(id));
    const sentTo = [...delivery.sentTo, ...reached];
    const missing = receiving.filter(({ id }) => !sentTo.includes(id));
    const tried =
      missing.length === 0
        ? deliveredTry(replies.get(reached.at(-1) ?? ''))
        : refusedTry(missing, replies, { sentTo, isPartlyDelivered: reached.length > 0 });
    // A digest may be about thousands of leads, and each has an attempt in the database.
    return isOnlyCounted ? { ...tried, head: null } : tried;
  });
}

function deliveredTry(reply: MailReply | undefined): Tried {
  return {
    ...failedTry('', ''),
    ...{ meaning: 'delivered', errorClass: null, error: null },
    status: reply?.status ?? null,
    head: reply === undefined ? null : Buffer.from(reply.text),
  };
}

interface Reached {
  readonly sentTo: readonly string[];
  readonly isPartlyDelivered: boolean;
}

function refusedTry(
  missing: readonly Recipient[],
  replies: Replies,
  { sentTo, isPartlyDelivered }: Reached,
): Tried {
  const refused = missing.find(({ id }) => replies.get(id)?.isAboutRecipient === true);
  // What ended the try for everyone comes first: it says more about the destination.
  const end = [...replies.values()].find((one) => !one.isAccepted && !one.isAboutRecipient);
  const reply = end ?? replies.get(refused?.id ?? '') ?? stoppedReply;
  const meaning = meaningOf(reply);
  const whom = refused === undefined || !reply.isAboutRecipient ? '' : `${refused.address}: `;
  return {
    ...failedTry(meaning, `${whom}${reply.text}`),
    meaning,
    status: reply.status,
    head: reply.status === null ? null : Buffer.from(reply.text),
    // A recipient whose address is refused says nothing about the destination while others get their emails.
    isLeadRefused: reply.isAboutRecipient && sentTo.length > 0 && !isPartlyDelivered,
    sentTo,
    isPartlyDelivered,
  };
}

function meaningOf({ status, isAboutRecipient }: MailReply): ResponseMeaning {
  if (status === null) return isAboutRecipient ? 'refused' : 'failed';
  return status < 500 ? 'throttled' : 'refused';
}
