import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type MailState = 'sent' | 'failed' | 'off';

// A person waits for the response.
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Sends plain-text emails if there is a mail server. A failure to send does not fail the call. */
export class Mail {
  readonly #settings: MailSettings | null;
  readonly #log: Logger;
  #transport: Promise<Transporter> | undefined;

  constructor(settings: MailSettings | null, log: Logger) {
    this.#settings = settings;
    this.#log = log;
  }

  get isOn(): boolean {
    return this.#settings !== null;
  }

  async send(email: Email): Promise<MailState> {
    if (this.#settings === null) return 'off';
    try {
      this.#transport ??= openTransport(this.#settings);
      const { to, ...rest } = email;
      // As an object, it is always a single address.
      await (await this.#transport).sendMail({ ...rest, to: { name: '', address: to } });
      return 'sent';
    } catch (error) {
      this.#log.warn({ err: error }, 'email not sent');
      return 'failed';
    }
  }
}

/** Loaded with the first email. */
async function openTransport({ url, from }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...patience }, { from, disableFileAccess: true, disableUrlAccess: true });
}
