import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { EmailConfig } from '../../../src/domain/destination/kind/kind-settings.ts';
import { Mail } from '../../../src/mail/mail.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/time/clock.ts';
import { type ParsedEmail, parseEmail, type SmtpServer, startSmtp } from '../../support/smtp.ts';
import { DeliveryWorld, type DestinationOptions } from '../delivery-world.ts';

export interface RecipientOptions {
  readonly confirmedAt?: Date | null;
  readonly unsubscribedAt?: Date | null;
  readonly removedAt?: Date | null;
}

interface EmailOptions extends Omit<DestinationOptions, 'config'> {
  readonly config?: Partial<EmailConfig>;
  /** Recipients who have confirmed. */
  readonly to?: readonly string[];
}

/** Deliveries by email through a real mail server on loopback. */
export class EmailWorld {
  readonly deliveries: DeliveryWorld;
  smtp: SmtpServer;
  mail: Mail;

  static async create(): Promise<EmailWorld> {
    return new EmailWorld(await DeliveryWorld.create(), await startSmtp());
  }

  private constructor(deliveries: DeliveryWorld, smtp: SmtpServer) {
    this.deliveries = deliveries;
    this.smtp = smtp;
    this.mail = this.newMail();
  }

  newMail(): Mail {
    return new Mail(
      { url: this.smtp.url, from: 'Leadgate <leads@sender.example>' },
      pino({ level: 'silent' }),
    );
  }

  async reset(): Promise<void> {
    await this.deliveries.reset();
    this.mail.stop();
    await this.smtp.stop();
    this.smtp = await startSmtp();
    this.mail = this.newMail();
    await this.deliveries.pool.query(`update destinations set status = 'paused'`);
  }

  async close(): Promise<void> {
    await this.deliveries.close();
    this.mail.stop();
    await this.smtp.stop();
  }

  start(replaced: Parameters<DeliveryWorld['start']>[0] = {}) {
    return this.deliveries.start({ delivering: this.mail, ...replaced });
  }

  async destination({ config, to = [], ...others }: EmailOptions = {}): Promise<string> {
    const id = await this.deliveries.destination({
      kind: 'email',
      name: 'Sales',
      secret: randomBytes(32).toString('base64url'),
      config: { every: 'lead', hour: 8, timeZone: 'UTC', linkOnly: false, ...config },
      ...others,
    });
    for (const address of to) await this.recipient(id, address, { confirmedAt: new Date() });
    return id;
  }

  async recipient(destinationId: string, address: string, options: RecipientOptions = {}): Promise<string> {
    const id = randomUUID();
    const { confirmedAt = null, unsubscribedAt = null, removedAt = null } = options;
    await this.deliveries.pool.query(
      `insert into destination_recipients (id, destination_id, address, added_at, removed_at, asked_at, confirmed_at,
         unsubscribed_at)
       values ($1, $2, $3, clock_timestamp(), $4, null, $5, $6)`,
      [id, destinationId, address, removedAt, confirmedAt, unsubscribedAt],
    );
    return id;
  }

  async setRecipient(id: string, change: string): Promise<void> {
    await this.deliveries.pool.query(`update destination_recipients set ${change} where id = $1`, [id]);
  }

  async errorOf(recipientId: string): Promise<string | null> {
    const { rows } = await this.deliveries.pool.query(
      'select last_error from destination_recipients where id = $1',
      [recipientId],
    );
    return rows[0].last_error;
  }

  /** Until when the deliveries of a destination are collected. */
  async digestAt(destinationId: string): Promise<Date | null> {
    const { rows } = await this.deliveries.pool.query(
      'select digest_at from destination_leases where destination_id = $1',
      [destinationId],
    );
    return rows[0].digest_at;
  }

  /** Adds a delivery about a lead with these fields. */
  async add(destinationId: string, fields: Record<string, unknown> = { name: 'Ada' }): Promise<string> {
    const submissionId = await this.deliveries.lead({ fields });
    return this.deliveries.add(destinationId, { submissionId });
  }

  /** What the mail server accepted, in that order. */
  emails(): ParsedEmail[] {
    return this.smtp.emails.map(parseEmail);
  }

  subjects(): (string | null)[] {
    return this.emails().map((email) => email.header('subject'));
  }

  /** To ten past noon, so that neither a full hour nor the hour of a daily digest comes in the middle of a test. */
  toTenPastNoon(): void {
    const nextDay = Math.ceil(this.deliveries.clock.now() / dayMs) * dayMs;
    this.to(new Date(nextDay + 12 * hourMs + 10 * minuteMs));
  }

  to(time: Date): void {
    const { clock } = this.deliveries;
    clock.shift(time.getTime() - clock.now());
  }
}
