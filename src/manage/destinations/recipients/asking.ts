import { type DestinationRecord, findDestination } from '../../../db/deliver/destinations.ts';
import {
  listRecipients,
  markAsked,
  type RecipientRecord,
  saveRecipientErrors,
} from '../../../db/deliver/recipients.ts';
import { findWorkspace } from '../../../db/workspaces/workspaces.ts';
import { linkToken } from '../../../domain/destination/kind/link-token.ts';
import { receives, recipientStatus } from '../../../domain/destination/kind/recipient.ts';
import { destinationSecretOwner } from '../../../domain/destination/secrets.ts';
import type { Email } from '../../../mail/mail.ts';
import type { CountedMail } from '../../accounts/mail-limit.ts';
import type { Principal } from '../../calls/access.ts';
import { invalidInput, notFound, Problem } from '../../calls/problem.ts';
import type { ManagementDeps } from '../../deps.ts';
import { personIdOf } from '../../people/link-mail.ts';
import { plainName } from '../../people/plain-name.ts';

/** Who wants someone to get the emails of which destination. */
export interface Asking {
  readonly principal: Principal;
  readonly destination: Pick<DestinationRecord, 'id' | 'workspaceId' | 'name' | 'secretCiphertext'>;
}

// A mail server may refuse many connections at the same time.
const atOnceMax = 4;
const notSent = 'The email with the link could not be sent.';

export function requireMailServer({ mail }: ManagementDeps, field: string): void {
  if (mail.isOn) return;
  throw invalidInput([{ field, message: 'needs a mail server, which the operator sets up with SMTP_URL' }]);
}

/** Throws if these addresses cannot all be asked now, so that nothing is saved. */
export async function requireAskable(
  { accounts }: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  addresses: readonly string[],
): Promise<void> {
  await accounts.mails.require(addresses.map((address) => countedEmail(principal, workspaceId, address)));
}

/** After they are saved, so it never fails: someone who gets no link waits, and can be asked again. */
export async function askNew(
  deps: ManagementDeps,
  asking: Asking,
  recipients: readonly RecipientRecord[],
): Promise<void> {
  const waiting = [...recipients];
  const askNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { id } = next;
      await ask(deps, asking, next).catch((error) => noteFailure(deps, id, error));
    }
  };
  await Promise.all(Array.from({ length: atOnceMax }, askNext));
}

async function noteFailure({ pool, log }: ManagementDeps, recipientId: string, error: unknown) {
  log.warn({ err: error, recipient_id: recipientId }, 'confirmation link not sent');
  const why = error instanceof Problem ? error.message : notSent;
  await saveRecipientErrors(pool, new Map([[recipientId, why]])).catch(() => {});
}

export async function askAgain(
  deps: ManagementDeps,
  principal: Principal,
  { workspaceId, destinationId }: { readonly workspaceId: string; readonly destinationId: string },
  address: string,
): Promise<void> {
  const destination = await findDestination(deps.pool, workspaceId, destinationId);
  if (destination === null) throw notFound('destination');
  const recipients = await listRecipients(deps.pool, [destinationId]);
  const recipient = recipients.find((one) => one.address === address);
  if (recipient === undefined) throw notFound('recipient');
  if (receives(recipientStatus(recipient)))
    throw invalidInput([{ field: 'address', message: 'gets the emails already' }]);
  requireMailServer(deps, 'address');
  await ask(deps, { principal, destination }, recipient);
}

/** Counted before it is sent, so that parallel calls cannot pass the limits. */
async function ask(
  deps: ManagementDeps,
  asking: Asking,
  { id, address }: Pick<RecipientRecord, 'id' | 'address'>,
): Promise<void> {
  const { pool, clock, accounts, mail } = deps;
  const counted = countedEmail(asking.principal, asking.destination.workspaceId, address);
  await accounts.mails.take(counted);
  const askedAt = await markAsked(pool, id, new Date(clock.now()));
  if (askedAt === null) {
    await accounts.mails.failed(counted);
    throw notFound('recipient');
  }
  const outcome = await mail.send(await confirmationEmail(deps, asking, { id, address, askedAt }));
  if (outcome !== 'sent') await accounts.mails.failed(counted);
  await saveRecipientErrors(pool, new Map([[id, outcome === 'sent' ? null : notSent]]));
}

function countedEmail(principal: Principal, workspaceId: string, address: string): CountedMail {
  return { senderId: personIdOf(principal), address, about: 'recipient', workspaceId };
}

async function confirmationEmail(
  { pool, publicUrl, secretBox }: ManagementDeps,
  { principal, destination }: Asking,
  { id, address, askedAt }: Pick<RecipientRecord, 'id' | 'address'> & { readonly askedAt: Date },
): Promise<Email> {
  const secret = secretBox.open(destination.secretCiphertext, destinationSecretOwner(destination.id));
  const link = `${publicUrl()}/emails/confirm#token=${linkToken('confirm', id, askedAt, secret)}`;
  const workspace = await findWorkspace(pool, destination.workspaceId);
  const quoted = (name: string) => (plainName(name) === '' ? '' : ` “${plainName(name)}”`);
  const who = principal.kind === 'person' ? quoted(principal.person.name).trim() : '';
  return {
    to: address,
    subject: 'Confirm that you want emails about leads',
    text: [
      `${who === '' ? 'Someone' : who} wants to send you emails about leads of the workspace${quoted(workspace?.name ?? '')} in Leadgate, from the destination${quoted(destination.name)}. Open this link within seven days if you want them:`,
      link,
      'If you did not expect this email, ignore it. You will get no emails about leads.\n',
    ].join('\n\n'),
  };
}
