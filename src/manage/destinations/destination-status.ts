import { updateDestinationStatus } from '../../db/deliver/destinations.ts';
import { inTransaction } from '../../db/pool.ts';
import type { ManagementDeps } from '../deps.ts';
import { requireDestination, tryAgain } from './destination-changes.ts';

/** One that is disabled stays so, because it says more. */
export async function pauseDestination(
  { pool, clock }: ManagementDeps,
  workspaceId: string,
  destinationId: string,
  by: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { status } = await requireDestination(client, workspaceId, destinationId);
    if (status !== 'active') return;
    const change = { at: new Date(clock.now()), by };
    await updateDestinationStatus(client, destinationId, 'paused', null, change);
  });
}

/** Also enables one that is disabled, and tries one that fails without waiting for its next probe. */
export async function resumeDestination(
  { pool, clock }: ManagementDeps,
  workspaceId: string,
  destinationId: string,
  by: string,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const now = new Date(clock.now());
    await requireDestination(client, workspaceId, destinationId);
    // With the new version, requests that are in progress no longer count as failures.
    await updateDestinationStatus(client, destinationId, 'active', null, { at: now, by });
    await tryAgain(client, destinationId, now);
  });
}
