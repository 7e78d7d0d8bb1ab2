import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

export interface MailSettings {
  readonly url: string;
  readonly from: string;
}

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type MailState = 'sent' | 'failed' | 'off';

// A person waits for the answer.
const patience = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

/** Sends emails, as plain text, if there is a mail server. One that cannot be sent is no reason to fail. */
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

  async send(letter: Letter): Promise<MailState> {
    if (this.#settings === null) return 'off';
    try {
      this.#transport ??= openTransport(this.#settings);
      const { to, ...rest } = letter;
      // As an object, an address is one address, whatever is in it.
      await (await this.#transport).sendMail({ ...rest, to: { name: '', address: to } });
      return 'sent';
    } catch (error) {
      this.#log.warn({ err: error }, 'an email could not be sent');
      return 'failed';
    }
  }
}

/** Loaded when there is something to send. */
async function openTransport({ url, from }: MailSettings): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({ url, ...patience }, { from, disableFileAccess: true, disableUrlAccess: true });
}
