import { sql } from 'kysely';
import type pg from 'pg';
import { unprovenRoom } from '../../domain/held/held-bounds.ts';
import { dayMs } from '../../time/clock.ts';
import { inTransaction } from '../pool.ts';
import { insertRows, run } from '../sql.ts';
import type { HoldOutcome, Missed, NewHeld, SharedRoom } from './held-database.ts';
import {
  type PresentSettings,
  placesOfErased,
  placesOfKnown,
  placesOfOthers,
  presentSettings,
} from './held-exclusions.ts';
import { addMissed, addUsage, lockUsage, makeRoom, usageOf } from './held-usage.ts';
import { type Usage, UsageBook } from './usage-book.ts';

/**
 * Keeps rejected requests, as far as there is room, and says what became of each. All are of one bucket, as is what was
 * missed. A second call with the same requests changes nothing; only what was missed is counted again.
 *
 * The locks are those of the coordinator, and everyone who takes them goes through the coordinator: so a later statement
 * sees all that the last holder has written on any node.
 */
export async function hold(
  pool: pg.Pool,
  held: readonly NewHeld[],
  missed: readonly Missed[],
  room: SharedRoom,
): Promise<HoldOutcome[]> {
  if (held.length === 0 && missed.length === 0) return [];
  return inTransaction(pool, (client) => holdIn(client, held, missed, room));
}

/** In a transaction of the caller. */
export async function holdIn(
  client: pg.PoolClient,
  given: readonly NewHeld[],
  missed: readonly Missed[],
  room: SharedRoom,
): Promise<HoldOutcome[]> {
  const workspaceIds = [...new Set(given.map(({ workspaceId }) => workspaceId))].toSorted();
  if (given.length === 0) {
    await addMissed(client, missed);
    return [];
  }
  await run(client, sql`select lock_erasures(id, false) from unnest(${workspaceIds}::uuid[]) as id`);
  await lockUsage(client, workspaceIds);
  const settings = await presentSettings(client, given);
  const held = given.map((one) => ({ ...one, expiresAt: endOf(one, settings) }));
  const outcomes = await outcomesBefore(client, held, settings);
  const shards = [...new Set(held.map(({ shard }) => shard))];
  const book = new UsageBook(await usageOf(client, shards, workspaceIds), room);
  const fitting = held.filter((one, place) => {
    if (outcomes[place] !== 'kept') return false;
    if (book.take(one)) return true;
    outcomes[place] = 'full';
    return false;
  });
  const ids = await insert(client, fitting);
  const inserted = fitting.filter(({ id }) => ids.has(id));
  for (const [place, { id }] of held.entries())
    if (outcomes[place] === 'kept' && !ids.has(id)) outcomes[place] = 'known';
  const removed: Usage[] = [];
  for (const workspaceId of book.crowded.toSorted())
    removed.push(...(await makeRoom(client, workspaceId, unprovenRoom)));
  await addUsage(client, [...inserted.map(usageBy), ...removed]);
  await addMissed(client, [...missed, ...book.missed]);
  return outcomes;
}

/** `kept` for those that only need room. */
async function outcomesBefore(
  client: pg.PoolClient,
  held: readonly NewHeld[],
  settings: PresentSettings,
): Promise<HoldOutcome[]> {
  const known = await placesOfKnown(client, held);
  const others = await placesOfOthers(client, held);
  const erased = await placesOfErased(client, held);
  return held.map(({ formId }, place) => {
    if (known.has(place)) return 'known';
    const isUnwanted = settings.get(formId)?.heldDays === 0;
    return isUnwanted || others.has(place) || erased.has(place) ? 'excluded' : 'kept';
  });
}

/** An instance learns of fewer days a little later than the owner. */
function endOf({ formId, receivedAt, expiresAt }: NewHeld, settings: PresentSettings): Date {
  const { heldDays } = settings.get(formId) ?? {};
  if (heldDays === undefined) return expiresAt;
  return new Date(Math.min(expiresAt.getTime(), receivedAt.getTime() + heldDays * dayMs));
}

/** The ids of those that were inserted. The same signature may come twice in one call. */
async function insert(client: pg.PoolClient, held: readonly NewHeld[]): Promise<ReadonlySet<string>> {
  const rows = await insertRows<{ id: string }>(
    client,
    `held_submissions (shard, workspace_id, id, form_id, token_id, surface, reason, class, received_at, request_id, sent_at,
      body_bytes, body_hash, signature_hash, key_hash, person_hashes, sender, sealed, expires_at)`,
    held.map((h) => [
      ...[h.shard, h.workspaceId, h.id, h.formId, h.tokenId, h.surface, h.reason, h.class, h.receivedAt],
      ...[h.requestId, h.sentAt, h.bodyBytes, h.bodyHash, h.signatureHash, h.keyHash, h.personHashes],
      ...[h.sender, h.sealed, h.expiresAt],
    ]),
    'on conflict do nothing returning id',
  );
  return new Set(rows.map(({ id }) => id));
}

function usageBy({ shard, workspaceId, formId, class: kind, sealed }: NewHeld): Usage {
  return { shard, workspaceId, formId, isProven: kind !== 'D', rows: 1, bytes: sealed.length };
}
