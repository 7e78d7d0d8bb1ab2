import { minuteMs } from '../../../../src/time/clock.ts';
import { Browser, join } from '../../../support/browser/browser.ts';
import type { ManualClock } from '../../../support/clocks.ts';
import { type ApiAnswer, startTestService, type TestService } from '../../../support/service.ts';
import { readEmail, startSmtp, tokenIn } from '../../../support/smtp.ts';
import { createWorkspace, Seed } from '../../leads/seed.ts';

// biome-ignore lint/suspicious/noExplicitAny: each test expects a different shape.
type Json = any;

/** A service that sends emails to a mail server on loopback, and one on the same database that has none. */
export class EmailWorld {
  readonly smtp: Awaited<ReturnType<typeof startSmtp>>;
  readonly service: TestService;
  readonly plain: TestService;
  readonly seed: Seed;
  #addresses = 0;

  private constructor(parts: Pick<EmailWorld, 'smtp' | 'service' | 'plain'>) {
    this.smtp = parts.smtp;
    this.service = parts.service;
    this.plain = parts.plain;
    this.seed = new Seed(parts.plain);
  }

  static async start(clock: ManualClock): Promise<EmailWorld> {
    const smtp = await startSmtp();
    const plain = await startTestService({ clock });
    const env = { SMTP_URL: smtp.url, SMTP_FROM: 'leads@example.com' };
    const service = await startTestService({ clock, databaseUrl: plain.databaseUrl, env });
    return new EmailWorld({ smtp, service, plain });
  }

  async stop(): Promise<void> {
    await this.seed.stop();
    await this.service.stop();
    await this.plain.stop();
    await this.smtp.stop();
  }

  /** As before the first test: no emails, and a mail server that works. */
  reset(clock: ManualClock): void {
    this.smtp.emails.length = 0;
    this.smtp.behaviour.refuses = false;
    // A network can use some links a minute.
    clock.advance(minuteMs);
  }

  /** Returns its ID. */
  async newDestination(
    workspaceId: string,
    recipients: readonly string[],
    more: object = {},
  ): Promise<string> {
    const { status, json, text } = await this.create(workspaceId, recipients, more);
    if (status !== 201) throw new Error(`The destination was not created: ${status} ${text}`);
    return json.id;
  }

  async countDestinations(workspaceId: string): Promise<number> {
    return (await this.service.api('GET', `/workspaces/${workspaceId}/destinations`)).json.items.length;
  }

  newAddress(): string {
    return `reader${this.#addresses++}@example.com`;
  }

  newWorkspace(name?: string): Promise<string> {
    return createWorkspace(this.plain, name);
  }

  /** Someone with this role, signed in where emails are sent. Their address counts as proven, unless told otherwise. */
  async newPerson(workspaceId: string, role = 'member', isProven = true) {
    const address = this.newAddress();
    await join(this.plain, workspaceId, address, role);
    const [{ id }] = (await this.seed.query(
      'update people set email_verified = $2 where email = $1 returning id',
      [address, isProven],
    )) as [{ id: string }];
    const browser = new Browser(this.service.url);
    await browser.signIn(address);
    return { id, address, browser };
  }

  create(workspaceId: string, recipients: readonly string[], more: object = {}): Promise<ApiAnswer> {
    const body = { name: 'New leads', kind: 'email', recipients, ...more };
    return this.service.api('POST', `/workspaces/${workspaceId}/destinations`, body);
  }

  change(workspaceId: string, id: string, changes: object): Promise<ApiAnswer> {
    return this.service.api('PATCH', `/workspaces/${workspaceId}/destinations/${id}`, changes);
  }

  ask(workspaceId: string, id: string, address: string): Promise<ApiAnswer> {
    const path = `/workspaces/${workspaceId}/destinations/${id}/recipients/confirmation`;
    return this.service.api('POST', path, { address });
  }

  /** The status of each recipient by address. */
  async statuses(workspaceId: string, id: string): Promise<Record<string, string>> {
    const { json } = await this.service.api('GET', `/workspaces/${workspaceId}/destinations/${id}`);
    return Object.fromEntries(json.recipients.map((one: Json) => [one.address, one.status]));
  }

  emailsTo(address: string): string[] {
    return this.smtp.emails.filter((email) => readEmail(email).head.includes(`To: ${address}\r\n`));
  }

  /** The token of the newest link that was sent to an address. */
  tokenTo(address: string): string {
    return tokenIn(this.emailsTo(address).at(-1));
  }

  /** As the page that a link opens does it. */
  use(action: 'preview' | 'confirm' | 'unsubscribe', token: string): Promise<ApiAnswer> {
    return new Browser(this.service.url).api('POST', `/recipient-links/${action}`, { token });
  }
}
