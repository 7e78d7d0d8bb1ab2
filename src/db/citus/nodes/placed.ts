import { isLockTimeout, isMovedBucket } from '../../errors.ts';
import type { Misplacement, StorableLead } from '../../ingest/ingest-commit.ts';
import { oneByOne, type SortedEnds, type SortedLeads, sortByBucket } from './by-bucket.ts';

export interface Placing<Lead, Exception> {
  readonly bucketOf: (shard: number) => number;
  /** Reads again where buckets are. True when this node is no longer the one for all of these shards. */
  readonly isElsewhere: (shards: readonly number[]) => Promise<boolean>;
  readonly send: (leads: readonly Lead[], ends: SortedEnds) => Promise<Exception[]>;
  readonly misplaced: (place: number, outcome: Misplacement) => Exception;
}

/**
 * Stores leads of several buckets in one transaction of their node. While one of the buckets is being moved, its leads are
 * `closed`, and those of the others are stored bucket by bucket, so that nobody waits for the move. When a bucket is on
 * another node, nothing is stored with it, and these leads are `moved`: they are sent to wherever their shards are now.
 */
export async function placed<Lead extends Pick<StorableLead, 'shard'>, Exception extends { place: number }>(
  leads: readonly Lead[],
  placing: Placing<Lead, Exception>,
): Promise<Exception[]> {
  const sorted = sortByBucket(leads, placing.bucketOf);
  const isSeveral = sorted.ends.buckets.length > 1;
  try {
    return await sendSorted(sorted, placing);
  } catch (error) {
    if (!isLockTimeout(error) || !isSeveral) return misplacedBy(error, sorted, placing);
  }
  const exceptions: Exception[] = [];
  for (const bucket of oneByOne(sorted))
    exceptions.push(
      ...(await sendSorted(bucket, placing).catch((error) => misplacedBy(error, bucket, placing))),
    );
  return exceptions;
}

/** Throws any other error, and that a bucket has moved if the map does not say so. */
async function misplacedBy<Lead extends Pick<StorableLead, 'shard'>, Exception>(
  error: unknown,
  { leads, places }: SortedLeads<Lead>,
  { isElsewhere, misplaced }: Placing<Lead, Exception>,
): Promise<Exception[]> {
  const isMoved = isMovedBucket(error) && (await isElsewhere(leads.map(({ shard }) => shard)));
  if (!isMoved && !isLockTimeout(error)) throw error;
  return places.map((place) => misplaced(place, isMoved ? 'moved' : 'closed'));
}

async function sendSorted<Lead, Exception extends { place: number }>(
  { leads, places, ends }: SortedLeads<Lead>,
  { send }: Placing<Lead, Exception>,
): Promise<Exception[]> {
  const exceptions = await send(leads, ends);
  return exceptions.map((exception) => ({ ...exception, place: places[exception.place] as number }));
}
