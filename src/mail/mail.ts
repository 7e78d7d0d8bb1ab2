import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';
import { MailConnections } from './mail-connections.ts';
import { interrupted, type MailReply, mailIsOff, replyOf, replyToError } from './mail-reply.ts';

export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** An email to one recipient of a destination. */
export interface DeliveredEmail extends Email {
  /** The same for every try, in ASCII: mail programs recognise a second copy by it. */
  readonly id: string;
  readonly html: string;
  readonly replyTo: string | null;
  /** Where the mail program of the reader can unsubscribe by a POST request; null if there is no such place. */
  readonly oneClickUrl: string | null;
}

export type MailState = 'sent' | 'failed' | 'off';

// A person waits for the response.
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

// Nobody should get the out-of-office notes of our recipients: replies go to the person who sent the lead.
const automatic = {
  'Auto-Submitted': 'auto-generated',
  Precedence: 'bulk',
  'X-Auto-Response-Suppress': 'OOF, AutoReply',
};

/** Sends emails if there is a mail server. A failure to send does not fail the call. */
export class Mail {
  readonly #settings: MailSettings | null;
  readonly #log: Logger;
  readonly #connections: MailConnections | null;
  #transport: Promise<Transporter> | undefined;

  constructor(settings: MailSettings | null, log: Logger) {
    this.#settings = settings;
    this.#log = log;
    this.#connections =
      settings === null ? null : new MailConnections((options) => openTransport(settings, options));
  }

  get isOn(): boolean {
    return this.#settings !== null;
  }

  /** Closes the connections that are kept for the next email. */
  stop(): void {
    this.#connections?.stop();
  }

  async send(email: Email): Promise<MailState> {
    if (this.#settings === null) return 'off';
    try {
      this.#transport ??= openTransport(this.#settings, patience);
      const { to, subject, text } = email;
      // As an object, it is always a single address.
      const addressed = { to: { name: '', address: to }, subject: plainSubject(subject), text };
      await (await this.#transport).sendMail(addressed);
      return 'sent';
    } catch (error) {
      this.#log.warn({ err: error }, 'email not sent');
      return 'failed';
    }
  }

  /** Never rejects: whatever happens is a reply. After the signal nobody knows whether the mail server accepted it. */
  async deliver(email: DeliveredEmail, signal: AbortSignal): Promise<MailReply> {
    const connections = this.#connections;
    if (connections === null) return mailIsOff;
    try {
      const connection = await connections.take(signal);
      if (connection === null) return interrupted;
      const sent = connection
        .sendMail(this.#written(email))
        .then(replyOf, (error: unknown) => this.#refused(error));
      const reply = await unlessAborted(sent, signal);
      connections.free(connection, reply.isAccepted || reply.isAboutRecipient);
      return reply;
    } catch (error) {
      return this.#refused(error);
    }
  }

  #refused(error: unknown): MailReply {
    const reply = replyToError(error);
    if (!reply.isAboutRecipient) this.#log.warn({ err: error }, 'email not delivered');
    return reply;
  }

  #written({ id, to, subject, text, html, replyTo, oneClickUrl }: DeliveredEmail) {
    const oneClick =
      oneClickUrl === null
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${oneClickUrl}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          };
    return {
      messageId: `<${id}@${domainOf(this.#settings?.from ?? '')}>`,
      to: { name: '', address: to },
      subject: plainSubject(subject),
      text,
      html,
      ...(replyTo === null ? {} : { replyTo: { name: '', address: replyTo } }),
      headers: { ...automatic, ...oneClick },
    };
  }
}

/** Text that looks like an encoded word would be decoded by mail programs, and could hide there what was removed from it. */
function plainSubject(subject: string): string {
  return subject.replaceAll('=?', '= ?');
}

function domainOf(from: string): string {
  return /@([\w.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

async function unlessAborted(sent: Promise<MailReply>, signal: AbortSignal): Promise<MailReply> {
  const aborted = Promise.withResolvers<MailReply>();
  const abort = () => aborted.resolve(interrupted);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  const reply = await Promise.race([sent, aborted.promise]);
  signal.removeEventListener('abort', abort);
  return reply;
}

/** Loaded with the first email. */
async function openTransport({ url, from }: MailSettings, options: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    { url, ...options },
    { from, disableFileAccess: true, disableUrlAccess: true },
  );
  // Without a listener an error between two emails would end the process.
  transport.on('error', () => {});
  return transport;
}
