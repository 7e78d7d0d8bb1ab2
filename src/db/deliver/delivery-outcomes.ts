import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import { inTransaction } from '../pool.ts';
import { insertRows, rowsOf } from '../sql.ts';
import type { DeliveryOutcome } from './deliver-database.ts';

/**
 * Writes what became of deliveries. One that changed in the meantime stays as it is, unless it has arrived: then it counts
 * as delivered whatever another instance made of it, except for a cancelled one, whose lead was erased.
 *
 * `shard` is the one of all these deliveries, or null on a server where all shards are together. The rows stay locked until
 * their attempts are written, so that an erasure deletes these too.
 */
export async function writeOutcomes(
  pool: pg.Pool,
  outcomes: readonly DeliveryOutcome[],
  shard: number | null,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const attempts = await updateDeliveries(client, outcomes, shard);
    await insertAttempts(client, outcomes, attempts);
  });
}

async function updateDeliveries(
  client: pg.PoolClient,
  outcomes: readonly DeliveryOutcome[],
  shard: number | null,
): Promise<ReadonlyMap<string, number>> {
  // Always in the same order, so that two instances do not deadlock.
  const sorted = outcomes.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const column = <Value>(read: (outcome: DeliveryOutcome) => Value) => sorted.map(read);
  const inShard = shard === null ? sql`d.shard = o.shard` : sql`d.shard = ${shard}`;
  const written = await rowsOf(
    client,
    sql<{ readonly id: string; readonly attempts: number }>`
      update deliveries d set
        state = o.state, attempts = d.attempts + o.tries,
        next_at = case o.state when 'dead' then o.at else coalesce(o.next_at, d.next_at) end,
        last_status = case o.tries when 0 then d.last_status else o.status end,
        last_error_class = o.error_class, last_error = o.error, last_ms = coalesce(o.ms, d.last_ms),
        delivered_at = case o.state when 'delivered' then o.at end,
        destination_version = coalesce(o.version, d.destination_version),
        external_ref = coalesce(o.sent_to, d.external_ref)
      from unnest(
        ${column(({ workspaceId }) => shardOf(workspaceId))}::smallint[],
        ${column(({ workspaceId }) => workspaceId)}::uuid[], ${column(({ deliveryId }) => deliveryId)}::uuid[],
        ${column(({ attemptsBefore }) => attemptsBefore)}::smallint[], ${column(({ state }) => state)}::text[],
        ${column(({ attempt }) => (attempt === null ? 0 : 1))}::smallint[],
        ${column(({ nextAt }) => nextAt)}::timestamptz[], ${column(({ status }) => status)}::smallint[],
        ${column(({ errorClass }) => errorClass)}::text[], ${column(({ error }) => error)}::text[],
        ${column(({ attempt }) => attempt?.ms ?? null)}::integer[], ${column(({ at }) => at)}::timestamptz[],
        ${column(({ destinationVersion }) => destinationVersion)}::integer[],
        ${column(({ sentTo }) => (sentTo.length === 0 ? null : sentTo.join(' ')))}::text[]
      ) as o (shard, workspace_id, id, attempts, state, tries, next_at, status, error_class, error, ms, at, version,
        sent_to)
      where ${inShard} and d.workspace_id = o.workspace_id and d.id = o.id
        and (d.state = 'pending' and d.attempts = o.attempts
          or o.state = 'delivered' and d.state in ('pending', 'dead', 'skipped'))
      returning d.id, d.attempts`,
  );
  return new Map(written.map(({ id, attempts }) => [id, attempts]));
}

async function insertAttempts(
  client: pg.PoolClient,
  outcomes: readonly DeliveryOutcome[],
  attempts: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = outcomes.flatMap(({ workspaceId, deliveryId, at, attempt, status, errorClass, error }) => {
    const n = attempts.get(deliveryId);
    if (attempt === null || n === undefined) return [];
    const { ms, responseHead } = attempt;
    return [
      [shardOf(workspaceId), workspaceId, deliveryId, n, at, ms, status, errorClass, error, responseHead],
    ];
  });
  await insertRows(
    client,
    'delivery_attempts (shard, workspace_id, delivery_id, n, at, ms, status, error_class, error, response_head)',
    rows,
    'on conflict do nothing',
  );
}
