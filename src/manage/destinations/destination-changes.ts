import type pg from 'pg';
import type { z } from 'zod';
import type { DestinationChanges, secretRotation } from '../../contract/destinations/destinations.ts';
import {
  type DestinationRecord,
  type DestinationSettings,
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
import { notFound, Problem } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { encryptHeaders, requireForms, requireMapping, requireUrl } from './destination-checks.ts';

/** Two owners cannot change a destination at the same time: the second sees what the first made of it. */
export async function changeDestination(
  deps: ManagementDeps,
  workspaceId: string,
  destinationId: string,
  changes: DestinationChanges,
  by: string,
): Promise<void> {
  if (changes.url !== undefined) await requireUrl(deps, changes.url);
  await inTransaction(deps.pool, async (client) => {
    const now = new Date(deps.clock.now());
    const before = await requireDestination(client, workspaceId, destinationId);
    requireVersion(before.version, changes.expected_version);
    const after = changed(deps, before, changes);
    requireMapping(after);
    if (changes.form_ids !== undefined) await requireForms(client, workspaceId, after.formIds);
    await updateDestination(client, destinationId, after, { at: now, by });
    // What made it fail may be different now.
    if (changes.url !== undefined || changes.headers !== undefined)
      await tryAgain(client, destinationId, now);
  });
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
    await requireDestination(client, workspaceId, destinationId);
    const rotation = {
      ciphertext: deps.secretBox.seal(secret, destinationSecretOwner(destinationId)),
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

function changed(
  deps: ManagementDeps,
  before: DestinationRecord,
  changes: DestinationChanges,
): DestinationSettings {
  const url = changes.url ?? before.url;
  return {
    name: changes.name ?? before.name,
    kind: before.kind,
    url,
    format: changes.format ?? before.format,
    formIds: changes.form_ids === undefined ? before.formIds : changes.form_ids,
    events: changes.events ?? before.events,
    filter: changes.filter ?? before.filter,
    mapping: changes.mapping ?? before.mapping,
    ...headersAfter(deps, before, url, changes.headers),
    sendWhen: changes.send_when ?? before.sendWhen,
    waitMaxSeconds: changes.wait_max_s ?? before.waitMaxSeconds,
    perSecond: changes.per_second ?? before.perSecond,
  };
}

/** Headers are never sent to a host that they were not given for: their values are often keys. */
function headersAfter(
  deps: ManagementDeps,
  before: DestinationRecord,
  url: string,
  headers: DestinationChanges['headers'],
): Pick<DestinationSettings, 'headerNames' | 'headersCiphertext'> {
  if (headers !== undefined) return encryptHeaders(deps, before.id, headers);
  const isSameHost = new URL(url).origin === new URL(before.url).origin;
  if (!isSameHost) return { headerNames: [], headersCiphertext: null };
  const { headerNames, headersCiphertext } = before;
  return { headerNames, headersCiphertext };
}

function requireVersion(current: number, expected: number | undefined): void {
  if (expected === undefined || expected === current) return;
  throw new Problem(
    'version_conflict',
    `The destination is at version ${current}, not ${expected}. Read it again, apply your change, and send expected_version ${current}.`,
  );
}
