import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import { inTransaction } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow, insertRows, rowsOf, run } from '../sql.ts';
import type { DeliveryRecord } from './delivery-lists.ts';
import { listReplayable, type ReplayRecord, selectionOf } from './delivery-replays.ts';

type ReplayRow = Pick<ReplayRecord, 'id' | 'workspaceId' | 'selection' | 'lastId' | 'afterId'>;

type Chosen = Pick<
  DeliveryRecord,
  'id' | 'destinationId' | 'eventId' | 'eventType' | 'eventAt' | 'eventData' | 'submissionId'
>;

const deliveriesPerStep = 500;

/**
 * Adds the next deliveries of a selection. On a cluster their node may commit before the coordinator notes how far this
 * got: whoever repeats the step finds them by their unique key. False when there is no selection to work on.
 */
export async function replaySome(pool: pg.Pool, now: Date, newId: () => string): Promise<boolean> {
  // Nearly always there is none, and this is asked every second.
  const any = sql`select from delivery_replays where finished_at is null limit 1`;
  if ((await firstRow(pool, any)) === null) return false;
  return inTransaction(pool, async (client) => {
    const replay = await lockReplay(client);
    if (replay === null) return false;
    const chosen = await choose(client, replay);
    await insertReplays(client, replay, chosen, now, newId);
    await wakeAll(client, chosen, now);
    await run(
      client,
      sql`
        update delivery_replays set done = done + ${chosen.length}, after_id = ${chosen.at(-1)?.id ?? replay.afterId},
          finished_at = ${chosen.length < deliveriesPerStep ? now : null}
        where id = ${replay.id}`,
    );
    return true;
  });
}

/** Any of them: one whose node is down must not hold up the others. */
async function lockReplay(client: pg.PoolClient): Promise<ReplayRow | null> {
  return firstRow(
    client,
    sql<ReplayRow>`
      select id, workspace_id as "workspaceId", selection, last_id as "lastId", after_id as "afterId"
      from delivery_replays where finished_at is null
      order by random() limit 1 for update skip locked`,
  );
}

async function choose(
  client: pg.PoolClient,
  { workspaceId, selection, lastId, afterId }: ReplayRow,
): Promise<Chosen[]> {
  // Not in a join: on Citus, destinations and deliveries are on different servers.
  const existing = await rowsOf(
    client,
    sql<{ readonly id: string }>`select id from destinations where workspace_id = ${workspaceId}`,
  );
  const destinationIds = existing.map(({ id }) => id);
  const range = { selection: selectionOf(selection), destinationIds, afterId, lastId };
  const ids = (await listReplayable(client, workspaceId, range, deliveriesPerStep)).map(({ id }) => id);
  return rowsOf(
    client,
    sql<Chosen>`
      select id, destination_id as "destinationId", event_id as "eventId", event_type as "eventType",
        event_at as "eventAt", event_data as "eventData", submission_id as "submissionId"
      from deliveries where ${inWorkspace(workspaceId)} and id = any (${ids}::uuid[]) order by id`,
  );
}

async function insertReplays(
  client: pg.PoolClient,
  { id: replayId, workspaceId }: ReplayRow,
  chosen: readonly Chosen[],
  now: Date,
  newId: () => string,
): Promise<void> {
  await insertRows(
    client,
    `deliveries (shard, workspace_id, id, destination_id, event_id, event_type, event_at, event_data, submission_id,
      state, next_at, created_at, replay_of, replay_id)`,
    chosen.map(({ id, destinationId, eventId, eventType, eventAt, eventData, submissionId }) => [
      shardOf(workspaceId),
      workspaceId,
      newId(),
      destinationId,
      eventId,
      eventType,
      eventAt,
      eventData === null ? null : JSON.stringify(eventData),
      submissionId,
      'pending',
      now,
      now,
      id,
      replayId,
    ]),
    'on conflict do nothing',
  );
}

async function wakeAll(client: pg.PoolClient, chosen: readonly Chosen[], now: Date): Promise<void> {
  const ids = [...new Set(chosen.map(({ destinationId }) => destinationId))];
  await run(
    client,
    sql`
      update destination_leases set wake_at = ${now} where destination_id = any (${ids}::uuid[]) and wake_at > ${now}`,
  );
}
