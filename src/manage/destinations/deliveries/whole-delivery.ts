import type { WholeDelivery } from '../../../contract/destinations/deliveries.ts';
import {
  type AttemptRecord,
  type DeliveryRecord,
  findDelivery,
  listAttempts,
} from '../../../db/deliver/delivery-lists.ts';
import { findDestination } from '../../../db/deliver/destinations.ts';
import { readLeadFacts } from '../../../db/deliver/lead-facts.ts';
import { rendered } from '../../../domain/destination/kind/rendering.ts';
import { responseHeadOwner } from '../../../domain/destination/secrets.ts';
import { SealedError, type SecretBox } from '../../../domain/secrets/secret-box.ts';
import { shardOf } from '../../../domain/workspace.ts';
import { notFound } from '../../calls/problem.ts';
import type { ManagementDeps } from '../../deps.ts';
import { type NamedDelivery, viewDelivery, withNames } from './delivery-view.ts';
import { responseText } from './response-text.ts';

/** With its attempts, and the request as it would be made now. */
export async function readDelivery(
  deps: ManagementDeps,
  workspaceId: string,
  deliveryId: string,
): Promise<WholeDelivery> {
  const { pool, secretBox } = deps;
  const found = await findDelivery(pool, workspaceId, deliveryId);
  if (found === null) throw notFound('delivery');
  const [named] = await withNames(pool, workspaceId, [found]);
  const attempts = await listAttempts(pool, workspaceId, deliveryId);
  return {
    ...viewDelivery(workspaceId, named as NamedDelivery),
    tries: attempts.map((attempt) => viewAttempt(attempt, deliveryId, secretBox)),
    request: await requestNow(deps, workspaceId, found),
  };
}

function viewAttempt(
  { n, at, ms, status, error, responseHead }: AttemptRecord,
  deliveryId: string,
  secretBox: SecretBox,
): WholeDelivery['tries'][number] {
  const head = responseHead === null ? null : opened(secretBox, responseHead, deliveryId);
  return {
    n,
    at: at.toISOString(),
    took_ms: ms,
    status,
    error,
    response_head: head === null ? null : responseText(head),
  };
}

/** Null if its key is missing. */
function opened(secretBox: SecretBox, sealed: Buffer, deliveryId: string): Buffer | null {
  try {
    return secretBox.openBytes(sealed, responseHeadOwner(deliveryId));
  } catch (error) {
    if (error instanceof SealedError) return null;
    throw error;
  }
}

/** Without what must not be shown: the signature, the secret behind it, and the owner's headers. */
async function requestNow(
  { pool, publicUrl }: ManagementDeps,
  workspaceId: string,
  delivery: DeliveryRecord,
): Promise<WholeDelivery['request']> {
  const { destinationId, eventId: number, eventType: type, eventAt: at, eventData, submissionId } = delivery;
  const destination = await findDestination(pool, workspaceId, destinationId);
  if (destination === null) return null;
  const refs = submissionId === null ? [] : [{ shard: shardOf(workspaceId), workspaceId, submissionId }];
  const [lead = null] = await readLeadFacts(pool, refs);
  const event = { workspaceId, number, type, at, submissionId };
  const request = rendered(destination, { event, data: eventData, lead }, publicUrl());
  if (request === null) return null;
  const url = destination.kind === 'webhook' ? destination.config.url : null;
  return { url, headers: request.headers, body: request.body };
}
