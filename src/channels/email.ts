import type { EmailRecipient } from '../db/deliver/deliver-database.ts';
import type { MailReply } from '../mail/mail-reply.ts';
import { minuteMs, secondMs } from '../time/clock.ts';
import { type Channel, type ChannelDeps, type Parcel, type TryResult, unwritable } from './channel.ts';
import { failedTry, type Replies, resultsOf, stoppedReply } from './email/email-results.ts';
import { type EmailWriter, emailWriter } from './email/email-writer.ts';

const emailMsMax = minuteMs;
// A slow mail server must not keep a place for long: recipients who are left follow with the next try.
const parcelMsMax = 90 * secondMs;

/**
 * One email per recipient, with those deliveries that this recipient does not have yet. Recipients follow one another, and
 * the first failure of the mail server itself ends the try for all that are left.
 */
export function emailChannel(deps: ChannelDeps): Channel {
  return {
    itemsMax: 1,
    atOnceMax: 1,
    async send(parcel, signal) {
      const { clock, log } = deps;
      const startedAt = clock.monotonic();
      const elapsedMs = () => Math.round(clock.monotonic() - startedAt);
      const results = await sendParcel(deps, parcel, signal).catch((err: unknown) => {
        log.error({ err, destination_id: parcel.destination.id }, 'emails of a destination cannot be sent');
        return all(parcel, failedTry('internal', 'The emails could not be sent.'));
      });
      return results.map((result) => ('meaning' in result ? { ...result, ms: elapsedMs() } : result));
    },
  };
}

async function sendParcel(
  deps: ChannelDeps,
  parcel: Parcel,
  signal: AbortSignal,
): Promise<readonly TryResult[]> {
  const { mail, database, log } = deps;
  const { id } = parcel.destination;
  if (!mail.isOn)
    return all(
      parcel,
      failedTry('mail_off', 'This service has no mail server: its operator has to set SMTP_URL.'),
    );
  const recipients = await database.listRecipients(id);
  const receiving = recipients.filter((recipient) => recipient.receives);
  if (receiving.length === 0) return all(parcel, nobody(recipients.length > 0));
  let writer: EmailWriter;
  try {
    writer = emailWriter(parcel);
  } catch (err) {
    log.error({ err, destination_id: id }, 'email of a destination cannot be written');
    return all(parcel, unwritable);
  }
  const replies = await sendToEach(deps, parcel, receiving, writer, signal);
  await saveErrors(deps, replies);
  return resultsOf(parcel.items, receiving, replies);
}

function all(parcel: Parcel, result: TryResult): readonly TryResult[] {
  return parcel.items.map(() => result);
}

/** While one of them may still confirm, the deliveries wait for that and the destination stays as it is. */
function nobody(isAnyWaiting: boolean): TryResult {
  return isAnyWaiting
    ? {
        ...failedTry('no_recipients', 'No recipient has confirmed the address yet.'),
        isLeadRefused: true,
      }
    : {
        ...failedTry('no_recipients', 'Nobody is left who receives the emails.'),
        disables: 'no_recipients',
      };
}

async function sendToEach(
  { mail, clock }: ChannelDeps,
  { items }: Parcel,
  receiving: readonly EmailRecipient[],
  writer: EmailWriter,
  signal: AbortSignal,
): Promise<Replies> {
  const replies = new Map<string, MailReply>();
  const end = clock.monotonic() + parcelMsMax;
  for (const recipient of receiving) {
    const lacking = items.filter(({ delivery }) => !delivery.sentTo.includes(recipient.id));
    if (lacking.length === 0) continue;
    if (signal.aborted || clock.monotonic() > end) {
      replies.set(recipient.id, stoppedReply);
      break;
    }
    const late = new AbortController();
    const cancel = clock.deadline(emailMsMax, () => late.abort());
    const reply = await mail.deliver(
      writer.write(recipient, lacking),
      AbortSignal.any([signal, late.signal]),
    );
    cancel();
    replies.set(recipient.id, reply);
    if (!reply.isAccepted && !reply.isAboutRecipient) break;
  }
  return replies;
}

/** What is wrong with the mail server says nothing about its recipients. */
async function saveErrors({ database, log }: ChannelDeps, replies: Replies): Promise<void> {
  const about = [...replies].filter(([, reply]) => reply.isAboutRecipient);
  try {
    await database.saveRecipientErrors(
      new Map(about.map(([id, reply]) => [id, reply.isAccepted ? null : reply.text])),
    );
  } catch (err) {
    log.warn({ err }, 'errors of recipients not saved');
  }
}
