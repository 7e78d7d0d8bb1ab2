import type { CountedMail } from '../accounts/mail-limit.ts';
import type { Principal } from '../calls/access.ts';
import type { ManagementDeps } from '../deps.ts';
import type { MailState } from './mail.ts';

/** What became of a link, as the answer of a call tells it. */
export interface Delivery {
  readonly link: string | null;
  readonly mail: MailState;
  readonly notice?: string;
}

export interface LinkMail {
  readonly link: string;
  readonly subject: string;
  readonly text: string;
  /** Said when it could not be sent: what was kept, and how to try again. */
  readonly notice: string;
}

/** Where there is a mail server, one email is about to be sent. Called before anything is changed for its sake. */
export async function countLinkMail({ mail, accounts }: ManagementDeps, counted: CountedMail): Promise<void> {
  if (mail.isOn) await accounts.mails.take(counted);
}

/**
 * With a mail server a link goes to its address and to nobody else: whoever opens it then has at least read the mail that
 * arrives there. Without one, whoever made it passes it on.
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
