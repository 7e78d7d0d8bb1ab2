import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { DeliverySelection, Replay } from '../../../contract/destinations/deliveries.ts';
import * as contract from '../../../contract/destinations/deliveries.ts';
import { findDelivery } from '../../../db/deliver/delivery-lists.ts';
import {
  countReplayable,
  countUnfinishedReplays,
  findRecentReplay,
  findReplay,
  findSameReplay,
  hastenDelivery,
  insertReplay,
  insertReplayed,
  lockDelivery,
  type ReplayRange,
  type ReplayRecord,
  type StoredSelection,
  selectionOf,
} from '../../../db/deliver/delivery-replays.ts';
import {
  findDestinationNames,
  listDestinationIds,
  wakeDestination,
} from '../../../db/deliver/destinations.ts';
import { lockLead } from '../../../db/leads/leads.ts';
import { inTransaction } from '../../../db/pool.ts';
import { lockWorkspace } from '../../../db/workspaces/memberships.ts';
import { deliveryId, firstDeliveryId } from '../../../domain/destination/delivery-id.ts';
import { secondMs } from '../../../time/clock.ts';
import { nameOf } from '../../calls/access.ts';
import { invalidInput, notFound, Problem } from '../../calls/problem.ts';
import { route } from '../../calls/route.ts';
import type { ManagementDeps } from '../../deps.ts';

const replaysInProgressMax = 5;
const deliveriesPerReplayMax = 100_000;
// A second click on the same button.
const sameClickMs = 2 * secondMs;

export const deliveryReplayRoutes = [
  route(contract.replayDelivery, async ({ params }, deps) => ({
    id: await replayDelivery(deps, params.workspace_id, params.delivery_id),
  })),
  route(contract.replayDeliveries, ({ params, body, principal }, deps) =>
    body.dry_run
      ? countSelection(deps, params.workspace_id, body.filter)
      : replaySelection(deps, params.workspace_id, body.filter, nameOf(principal)),
  ),
  route(contract.readReplay, async ({ params }, { pool }) => {
    const found = await findReplay(pool, params.workspace_id, params.replay_id);
    if (found === null) throw notFound('replay');
    return viewReplay(found);
  }),
];

/**
 * Returns the ID of the delivery that will be sent. One that still waits is sent now instead of being added again, and so is
 * its replay: clicking twice sends once.
 */
async function replayDelivery(
  { pool, clock }: ManagementDeps,
  workspaceId: string,
  id: string,
): Promise<string> {
  const at = new Date(clock.now());
  const found = await findDelivery(pool, workspaceId, id);
  if (found === null) throw notFound('delivery');
  const { destinationId } = found;
  if (!(await findDestinationNames(pool, workspaceId, [destinationId])).has(destinationId))
    throw notReplayable('Its destination was deleted.');
  const sent = await inTransaction(pool, async (client) => {
    if (found.eventType.startsWith('lead.') && found.eventType !== 'lead.erased')
      await requireLead(client, workspaceId, found.submissionId);
    const delivery = await lockDelivery(client, workspaceId, id);
    if (delivery === null) throw notFound('delivery');
    const createdAfter = new Date(at.getTime() - sameClickMs);
    const waiting =
      delivery.state === 'pending' ? id : await findRecentReplay(client, workspaceId, delivery, createdAfter);
    if (waiting === null) return addReplay(client, workspaceId, id, at);
    await hastenDelivery(client, workspaceId, waiting, at);
    return waiting;
  });
  // On a cluster the delivery is committed before. If this fails, the same call finds it and repeats this.
  await wakeDestination(pool, destinationId, at);
  return sent;
}

async function addReplay(client: pg.PoolClient, workspaceId: string, of: string, at: Date): Promise<string> {
  const id = deliveryId(at);
  await insertReplayed(client, workspaceId, of, { id, at });
  return id;
}

/** Before the delivery is locked: an erasure locks the lead first, too. */
async function requireLead(
  client: pg.PoolClient,
  workspaceId: string,
  submissionId: string | null,
): Promise<void> {
  if (submissionId !== null && (await lockLead(client, workspaceId, submissionId))) return;
  throw notReplayable('Its lead was erased, and what was sent of it is not kept.');
}

function notReplayable(detail: string): Problem {
  return new Problem('not_replayable', detail);
}

async function countSelection(
  deps: ManagementDeps,
  workspaceId: string,
  filter: DeliverySelection,
): Promise<Replay> {
  const total = await countRange(deps, workspaceId, await rangeOf(deps, workspaceId, filter));
  return { id: null, total, done: 0, created_at: null, finished_at: null };
}

async function replaySelection(
  deps: ManagementDeps,
  workspaceId: string,
  filter: DeliverySelection,
  by: string,
): Promise<Replay> {
  const { pool, clock } = deps;
  const range = await rangeOf(deps, workspaceId, filter);
  const total = await countRange(deps, workspaceId, range);
  const now = new Date(clock.now());
  const wanted: ReplayRecord = {
    id: randomUUID(),
    workspaceId,
    selection: storedOf(filter),
    lastId: range.lastId,
    afterId: null,
    total,
    done: 0,
    createdAt: now,
    createdBy: by,
    finishedAt: total === 0 ? now : null,
  };
  const replay = await inTransaction(pool, async (client) => {
    await lockWorkspace(client, workspaceId);
    // Clicking twice must not send everything twice.
    const same = await findSameReplay(client, workspaceId, wanted.selection);
    if (same !== null) return same;
    await requireRoomForReplay(client, workspaceId);
    await insertReplay(client, wanted);
    return wanted;
  });
  return viewReplay(replay);
}

async function requireRoomForReplay(client: pg.PoolClient, workspaceId: string): Promise<void> {
  if ((await countUnfinishedReplays(client, workspaceId)) < replaysInProgressMax) return;
  throw new Problem(
    'quota_reached',
    `A workspace can have ${replaysInProgressMax} replays in progress. Wait until one of them is finished.`,
  );
}

/** What exists now: later deliveries do not belong to the selection. */
async function rangeOf(
  { pool, clock }: ManagementDeps,
  workspaceId: string,
  filter: DeliverySelection,
): Promise<ReplayRange> {
  const destinationIds = await listDestinationIds(pool, workspaceId);
  const { destination_id: destinationId } = filter;
  if (destinationId !== undefined && !destinationIds.includes(destinationId))
    throw invalidInput([{ field: 'filter.destination_id', message: 'does not exist in this workspace' }]);
  const lastId = firstDeliveryId(new Date(clock.now() + 1));
  return { selection: selectionOf(storedOf(filter)), destinationIds, afterId: null, lastId };
}

async function countRange(
  { pool }: ManagementDeps,
  workspaceId: string,
  range: ReplayRange,
): Promise<number> {
  const count = await countReplayable(pool, workspaceId, range, deliveriesPerReplayMax + 1);
  if (count <= deliveriesPerReplayMax) return count;
  const limit = deliveriesPerReplayMax.toLocaleString('en');
  throw invalidInput([
    { field: 'filter', message: `matches more than ${limit} deliveries; send them in several parts` },
  ]);
}

function storedOf({ destination_id, state, from, to }: DeliverySelection): StoredSelection {
  return { destination_id, state, from: from?.toISOString(), to: to?.toISOString() };
}

function viewReplay({ id, total, done, createdAt, finishedAt }: ReplayRecord): Replay {
  return {
    id,
    total,
    done,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
