import type { MailState } from '../../mail/mail.ts';
import type { CountedMail } from '../accounts/mail-limit.ts';
import type { Principal } from '../calls/access.ts';
import type { ManagementDeps } from '../deps.ts';

/** How a link was delivered, as the response says it. */
export interface Delivery {
  readonly link: string | null;
  readonly mail: MailState;
  readonly notice?: string;
}

export interface LinkMail {
  readonly link: string;
  readonly subject: string;
  readonly text: string;
  /** Shown if the email could not be sent: what was kept, and how to try again. */
  readonly notice: string;
}

/** With a mail server, counts the email that is about to be sent. Called before anything changes. */
export async function countLinkMail({ mail, accounts }: ManagementDeps, counted: CountedMail): Promise<void> {
  if (mail.isOn) await accounts.mails.take(counted);
}

/**
 * With a mail server, a link is sent only to its email address, so anyone who opens it can read email there. Without one,
 * its creator passes it on.
 */
export async function deliverLink(
  { mail, accounts }: ManagementDeps,
  counted: CountedMail,
  { link, subject, text, notice }: LinkMail,
): Promise<Delivery> {
  const outcome = await mail.send({ to: counted.address, subject, text });
  if (outcome === 'off') return { link, mail: outcome };
  if (outcome === 'sent') return { link: null, mail: outcome };
  await accounts.mails.failed(counted);
  return { link: null, mail: outcome, notice };
}

export function personIdOf(principal: Principal): string | null {
  return principal.kind === 'person' ? principal.person.id : null;
}
