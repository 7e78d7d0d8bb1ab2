import type { Delivery } from '../../../contract/destinations/deliveries.ts';
import type { DeliveryRecord } from '../../../db/deliver/delivery-lists.ts';
import { findDestinationNames } from '../../../db/deliver/destinations.ts';
import type { Queryable } from '../../../db/pool.ts';
import { eventId } from '../../../domain/destination/request/event-id.ts';

/** With the name of its destination; null if that was deleted. */
export type NamedDelivery = DeliveryRecord & { readonly destinationName: string | null };

export async function withNames(
  db: Queryable,
  workspaceId: string,
  deliveries: readonly DeliveryRecord[],
): Promise<NamedDelivery[]> {
  const ids = new Set(deliveries.map(({ destinationId }) => destinationId));
  // Not in a join: on Citus, deliveries and destinations are on different servers.
  const names = await findDestinationNames(db, workspaceId, [...ids]);
  return deliveries.map((delivery) => ({
    ...delivery,
    destinationName: names.get(delivery.destinationId) ?? null,
  }));
}

export function viewDelivery(workspaceId: string, record: NamedDelivery): Delivery {
  const { id, submissionId, eventId: number, eventType: type, state, nextAt } = record;
  return {
    id,
    destination_id: record.destinationId,
    destination_name: record.destinationName,
    submission_id: submissionId,
    event: type,
    event_id: eventId({ workspaceId, number, type, submissionId }),
    event_at: record.eventAt.toISOString(),
    state,
    attempts: record.attempts,
    next_attempt_at: state === 'pending' ? nextAt.toISOString() : null,
    last_status: record.lastStatus,
    last_error: record.lastError,
    last_ms: record.lastMs,
    created_at: record.createdAt.toISOString(),
    delivered_at: record.deliveredAt?.toISOString() ?? null,
    replay_of: record.replayOf,
  };
}
