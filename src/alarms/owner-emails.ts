import { createHash } from 'node:crypto';
import type pg from 'pg';
import {
  type AlarmRecipient,
  claimEmail,
  type DueEmail,
  endEmail,
  listAlarmRecipients,
  retryEmail,
  saveEmailed,
} from '../db/alarms/alarm-notices.ts';
import type { Mail } from '../mail/mail.ts';
import type { MailReply } from '../mail/mail-reply.ts';
import { type Clock, dayMs, hourMs, minuteMs } from '../time/clock.ts';
import type { AlarmMeter } from './alarm-meter.ts';
import { type AlarmEmail, alarmEmail } from './email-text.ts';

export interface OwnerEmailsDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly mail: Pick<Mail, 'isOn' | 'deliver'>;
  readonly publicUrl: () => string;
  readonly meter: Pick<AlarmMeter, 'onEmail'>;
}

// Until then nobody else sends it: longer than one email takes.
const claimMs = 5 * minuteMs;
const emailMsMax = minuteMs;
const triedMs = 3 * dayMs;
const retryAfterMs = [minuteMs, 5 * minuteMs, 15 * minuteMs];
const retryAfterMsMax = hourMs;

type Sent = 'done' | 'retry' | 'stopped';

/**
 * Sends what was told to the owners of a workspace, or to the operators of the instance, as they are at the time of sending.
 * One who was sent an email is recorded before the next one is. If that fails, they get it again with the same Message-ID.
 */
export class OwnerEmails {
  readonly #deps: OwnerEmailsDeps;

  constructor(deps: OwnerEmailsDeps) {
    this.#deps = deps;
  }

  /** Ends with the first failure of the mail server itself: it would fail for the others, too. */
  async sendDue(stopping: AbortSignal): Promise<void> {
    const { pool, mail } = this.#deps;
    if (!mail.isOn) return;
    while (!stopping.aborted) {
      const due = await claimEmail(pool, this.#now(), this.#in(claimMs));
      if (due === null || (await this.#send(due, stopping)) !== 'done') return;
    }
  }

  async #send(due: DueEmail, stopping: AbortSignal): Promise<Sent> {
    const { pool, publicUrl } = this.#deps;
    if (this.#now().getTime() - due.at.getTime() > triedMs) {
      await endEmail(pool, due.id, 'failed');
      return 'done';
    }
    const recipients = await listAlarmRecipients(pool, due.workspaceId);
    const email = alarmEmail(due, publicUrl());
    const emailed = new Set(due.emailedTo);
    const refused = new Set(due.refusedBy);
    for (const person of recipients) {
      if (emailed.has(person.id) || refused.has(person.id)) continue;
      const reply = await this.#deliver(due, person, email, stopping);
      const isFinal = reply.isAccepted || isPermanent(reply);
      this.#count(reply);
      if (!reply.isAccepted && !reply.isAboutRecipient) {
        await retryEmail(pool, due.id, this.#in(waitMs(due.attempts)));
        return stopping.aborted ? 'stopped' : 'retry';
      }
      if (!isFinal) continue;
      (reply.isAccepted ? emailed : refused).add(person.id);
      const { isAccepted } = reply;
      await saveEmailed(pool, due.id, person.id, { isAccepted, retryAt: this.#in(claimMs) });
    }
    const isDone = recipients.every(({ id }) => emailed.has(id) || refused.has(id));
    if (!isDone) await retryEmail(pool, due.id, this.#in(waitMs(due.attempts)));
    else await endEmail(pool, due.id, endOf(emailed.size, refused.size));
    return 'done';
  }

  async #deliver(
    due: DueEmail,
    person: AlarmRecipient,
    email: AlarmEmail,
    stopping: AbortSignal,
  ): Promise<MailReply> {
    const { mail, clock } = this.#deps;
    const late = new AbortController();
    const cancel = clock.deadline(emailMsMax, () => late.abort());
    const addressed = {
      ...email,
      id: emailId(due.id, person.id),
      to: person.email,
      replyTo: null,
      oneClickUrl: null,
    };
    const reply = await mail.deliver(addressed, AbortSignal.any([stopping, late.signal]));
    cancel();
    return reply;
  }

  #count(reply: MailReply): void {
    this.#deps.meter.onEmail(reply.isAccepted ? 'sent' : isPermanent(reply) ? 'refused' : 'failed');
  }

  #now(): Date {
    return new Date(this.#deps.clock.now());
  }

  #in(ms: number): Date {
    return new Date(this.#deps.clock.now() + ms);
  }
}

function endOf(emailed: number, refused: number): 'sent' | 'failed' | 'none' {
  if (emailed > 0) return 'sent';
  return refused > 0 ? 'failed' : 'none';
}

/** The mail server does not accept this recipient, and would not later. */
function isPermanent({ isAccepted, isAboutRecipient, status }: MailReply): boolean {
  return !isAccepted && isAboutRecipient && (status === null || status >= 500);
}

/** The same for every try: mail programs recognise a second copy by it. */
function emailId(noticeId: string, personId: string): string {
  return createHash('sha256').update(`alarm ${noticeId} ${personId}`).digest('hex').slice(0, 32);
}

function waitMs(attempts: number): number {
  return retryAfterMs[attempts - 1] ?? retryAfterMsMax;
}
