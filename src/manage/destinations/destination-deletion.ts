import { deleteDestination as deleteRow, updateDestinationStatus } from '../../db/deliver/destinations.ts';
import { cancelPending } from '../../db/deliver/due-deliveries.ts';
import { inTransaction } from '../../db/pool.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireDestination } from './destination-changes.ts';

/**
 * First nothing more is added or sent, then what waits is cancelled, then the destination goes. On a cluster, deliveries and
 * destinations are on different servers that do not commit together: a deletion that fails in between can be repeated.
 */
export async function deleteDestination(
  { pool, clock }: ManagementDeps,
  workspaceId: string,
  destinationId: string,
  by: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    await requireDestination(client, workspaceId, destinationId);
    const change = { at: new Date(clock.now()), by };
    await updateDestinationStatus(client, destinationId, 'disabled', 'gone', change);
  });
  const destination = { id: destinationId, workspaceId };
  await cancelPending(pool, destination);
  if (!(await deleteRow(pool, workspaceId, destinationId))) throw notFound('destination');
  // A relay that had read the destination before may have added some since.
  await cancelPending(pool, destination);
}
