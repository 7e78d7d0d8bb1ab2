import type pg from 'pg';
import { type CallDeclaration, operationId } from '../../../contract/call.ts';
import * as contract from '../../../contract/destinations/recipients.ts';
import {
  lockDestination,
  resetHealth,
  updateDestinationStatus,
  wakeDestination,
} from '../../../db/deliver/destinations.ts';
import { sendUnreceived } from '../../../db/deliver/due-deliveries.ts';
import {
  confirmRecipient,
  findLinked,
  type LinkedRecipient,
  unsubscribeRecipient,
} from '../../../db/deliver/recipients.ts';
import { inTransaction } from '../../../db/pool.ts';
import { insertAudit } from '../../../db/workspaces/audit-log.ts';
import { isLinkToken, type LinkPurpose, recipientIdIn } from '../../../domain/destination/kind/link-token.ts';
import { destinationSecretOwner } from '../../../domain/destination/secrets.ts';
import { SealedError } from '../../../domain/secrets/secret-box.ts';
import { dayMs } from '../../../time/clock.ts';
import { auditRecord } from '../../audit/audit.ts';
import { notFound } from '../../calls/problem.ts';
import type { ManagementDeps } from '../../deps.ts';

const confirmLifetimeMs = 7 * dayMs;

type Confirmable = LinkedRecipient & { readonly askedAt: Date };

/** Whom a link of either kind is for. Null if it never existed or has ended. */
export async function readLink(deps: ManagementDeps, token: string): Promise<LinkedRecipient | null> {
  return (await findConfirmable(deps, token)) ?? (await find(deps, token, 'unsubscribe'));
}

/** Can be repeated while the link is valid. `address` is where the request comes from. */
export async function confirm(deps: ManagementDeps, token: string, address: string): Promise<void> {
  const found = await findConfirmable(deps, token);
  if (found === null) throw notFound('link');
  await inTransaction(deps.pool, async (client) => {
    const { id, destinationId, workspaceId, askedAt } = found;
    const at = new Date(deps.clock.now());
    // Owners change recipients under this lock.
    const destination = await lockDestination(client, workspaceId, destinationId);
    const recipient = await findLinked(client, id);
    if (destination === null || recipient === null) throw notFound('link');
    const isUsed = recipient.confirmedAt !== null && recipient.confirmedAt >= askedAt;
    if (isConfirmable(recipient, at) && isUsed) return;
    if (!(await confirmRecipient(client, id, askedAt, at))) throw notFound('link');
    await keepTrace(client, deps, contract.confirmRecipient, recipient, address);
    if (destination.disabledReason === 'no_recipients') {
      const change = { at, by: recipient.address };
      await updateDestinationStatus(client, destinationId, 'active', null, change);
      await resetHealth(client, destinationId);
    }
    await sendUnreceived(client, { id: destinationId, workspaceId }, at);
    await wakeDestination(client, destinationId, at);
  });
}

/** At any time, and also someone whom an owner has removed: they may be added again. False if there is no such link. */
export async function unsubscribe(deps: ManagementDeps, token: string, address: string): Promise<boolean> {
  const found = await find(deps, token, 'unsubscribe');
  if (found === null) return false;
  await inTransaction(deps.pool, async (client) => {
    const at = new Date(deps.clock.now());
    if (!(await unsubscribeRecipient(client, found.id, at))) return;
    await keepTrace(client, deps, contract.unsubscribeRecipient, found, address);
  });
  return true;
}

async function findConfirmable(deps: ManagementDeps, token: string): Promise<Confirmable | null> {
  const found = await find(deps, token, 'confirm');
  return found !== null && isConfirmable(found, new Date(deps.clock.now())) ? found : null;
}

/** Unsubscribing ends a link that was sent before. */
function isConfirmable(recipient: LinkedRecipient, now: Date): recipient is Confirmable {
  const { askedAt, removedAt, unsubscribedAt } = recipient;
  if (askedAt === null || removedAt !== null) return false;
  if (unsubscribedAt !== null && unsubscribedAt >= askedAt) return false;
  return now.getTime() < askedAt.getTime() + confirmLifetimeMs;
}

async function find(
  { pool, secretBox, log }: ManagementDeps,
  token: string,
  purpose: LinkPurpose,
): Promise<LinkedRecipient | null> {
  const id = recipientIdIn(token);
  const found = id === null ? null : await findLinked(pool, id);
  if (found === null) return null;
  const { destinationId, secretCiphertext } = found;
  const askedAt = purpose === 'confirm' ? found.askedAt : null;
  try {
    const secret = secretBox.open(secretCiphertext, destinationSecretOwner(destinationId));
    return isLinkToken(token, purpose, found.id, askedAt, secret) ? found : null;
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    log.warn({ err: error, destination_id: destinationId }, 'link of a recipient not checked');
    return null;
  }
}

/** Whoever has the link may be anyone, also if they are signed in. */
async function keepTrace(
  client: pg.PoolClient,
  deps: ManagementDeps,
  call: CallDeclaration,
  { workspaceId, destinationId, address }: LinkedRecipient,
  from: string,
): Promise<void> {
  const what = {
    action: operationId(call),
    target: { destination_id: destinationId },
    changes: { address },
    address: from || null,
  };
  await insertAudit(client, auditRecord(deps, { kind: 'nobody' }, workspaceId, what, true));
}
