import type pg from 'pg';
import type { z } from 'zod';
import type { DestinationChanges } from '../../contract/destinations/destination-settings.ts';
import type { secretRotation } from '../../contract/destinations/destinations.ts';
import {
  type CommonSettings,
  type DestinationRecord,
  findDestination,
  lockDestination,
  resetHealth,
  rotateDestinationSecret,
  updateDestination,
  wakeDestination,
} from '../../db/deliver/destinations.ts';
import { inTransaction } from '../../db/pool.ts';
import { newWebhookSecret } from '../../domain/destination/request/webhook-signature.ts';
import { destinationSecretOwner } from '../../domain/destination/secrets.ts';
import { secondMs } from '../../time/clock.ts';
import { nameOf, type Principal } from '../calls/access.ts';
import { notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireForms } from './destination-checks.ts';
import { managedKind, requireMembers } from './kinds/kinds.ts';

/** Two owners cannot change a destination at the same time: the second sees what the first made of it. */
export async function changeDestination(
  deps: ManagementDeps,
  principal: Principal,
  workspaceId: string,
  destinationId: string,
  changes: DestinationChanges,
): Promise<void> {
  const known = await findDestination(deps.pool, workspaceId, destinationId);
  if (known === null) throw notFound('destination');
  const kind = managedKind(known.kind);
  requireMembers(known.kind, changes);
  await kind.check(deps, known, changes, { principal, workspaceId });
  const after = await inTransaction(deps.pool, async (client) => {
    const at = new Date(deps.clock.now());
    const before = await requireDestination(client, workspaceId, destinationId);
    requireVersion(before.version, changes.expected_version);
    const { secret, isOtherPlace, ...own } = kind.change(deps, before, changes);
    const settings = { ...before, ...changed(before, changes), ...own } as DestinationRecord;
    if (changes.form_ids !== undefined) await requireForms(client, workspaceId, settings.formIds);
    const secretCiphertext =
      secret === null ? before.secretCiphertext : sealSecret(deps, destinationId, secret);
    const destination = { ...settings, secretCiphertext };
    await updateDestination(client, destinationId, destination, { at, by: nameOf(principal) });
    // What made it fail may be different now.
    if (isOtherPlace) await tryAgain(client, destinationId, at);
    else await wakeDestination(client, destinationId, at);
    return kind.save?.(deps, { client, destination, principal, at }, changes);
  });
  await after?.();
}

export function sealSecret({ secretBox }: ManagementDeps, destinationId: string, secret: string): Buffer {
  return secretBox.seal(secret, destinationSecretOwner(destinationId));
}

/** Returns the new secret. */
export async function rotateSecret(
  deps: ManagementDeps,
  workspaceId: string,
  destinationId: string,
  { secret = newWebhookSecret(), overlap_seconds }: z.output<typeof secretRotation>,
  by: string,
): Promise<string> {
  await inTransaction(deps.pool, async (client) => {
    const now = new Date(deps.clock.now());
    const { kind } = await requireDestination(client, workspaceId, destinationId);
    if (kind !== 'webhook')
      throw new Problem(
        'invalid_input',
        'Only the requests of a webhook are signed. Change the destination instead.',
      );
    const rotation = {
      ciphertext: sealSecret(deps, destinationId, secret),
      previousValidUntil: overlap_seconds === 0 ? null : new Date(now.getTime() + overlap_seconds * secondMs),
    };
    await rotateDestinationSecret(client, destinationId, rotation, { at: now, by });
    await tryAgain(client, destinationId, now);
  });
  return secret;
}

export async function requireDestination(
  client: pg.PoolClient,
  workspaceId: string,
  destinationId: string,
): Promise<DestinationRecord> {
  const found = await lockDestination(client, workspaceId, destinationId);
  if (found === null) throw notFound('destination');
  return found;
}

/** Forgets earlier failures and looks for due deliveries. */
export async function tryAgain(client: pg.PoolClient, destinationId: string, now: Date): Promise<void> {
  await resetHealth(client, destinationId);
  await wakeDestination(client, destinationId, now);
}

function changed(before: DestinationRecord, changes: DestinationChanges): CommonChanges {
  return {
    name: changes.name ?? before.name,
    formIds: changes.form_ids === undefined ? before.formIds : changes.form_ids,
    events: changes.events ?? before.events,
    filter: changes.filter ?? before.filter,
    sendWhen: changes.send_when ?? before.sendWhen,
    waitMaxSeconds: changes.wait_max_s ?? before.waitMaxSeconds,
  };
}

type CommonChanges = Omit<CommonSettings, 'mapping' | 'headersCiphertext' | 'perSecond'>;

function requireVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return;
  throw new Problem(
    'version_conflict',
    `The destination is at version ${current}, not ${expected}. Read it again, apply your change, and send expected_version ${current}.`,
  );
}
