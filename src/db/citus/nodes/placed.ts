import { isLockTimeout, isMovedBucket } from '../../errors.ts';
import type { BucketEnds, Misplacement, StorableLead } from '../../ingest/ingest-commit.ts';
import { oneByOne, type SortedLeads, sortByBucket } from './by-bucket.ts';

export interface Placing<Lead, Exception> {
  readonly bucketOf: (shard: number) => number;
  /** Reads again where buckets are. True when this node is no longer the one for all of these shards. */
  readonly isElsewhere: (shards: readonly number[]) => Promise<boolean>;
  readonly send: (leads: readonly Lead[], ends: BucketEnds) => Promise<Exception[]>;
  readonly misplaced: (place: number, outcome: Misplacement) => Exception;
}

/**
 * Stores leads of several buckets in one transaction of their node. While one of the buckets is being moved, its leads are
 * `closed`, and those of the others are stored bucket by bucket, so that nobody waits for the move. When a bucket is on
 * another node, nothing is stored, and all leads are `moved`: they are sent to wherever their shards are now.
 */
export async function placed<Lead extends Pick<StorableLead, 'shard'>, Exception extends { place: number }>(
  leads: readonly Lead[],
  placing: Placing<Lead, Exception>,
): Promise<Exception[]> {
  const sorted = sortByBucket(leads, placing.bucketOf);
  try {
    return await sendSorted(sorted, placing);
  } catch (error) {
    const shards = leads.map(({ shard }) => shard);
    if (isMovedBucket(error) && (await placing.isElsewhere(shards)))
      return leads.map((_, place) => placing.misplaced(place, 'moved'));
    if (!isLockTimeout(error)) throw error;
    if (sorted.ends.buckets.length === 1) return leads.map((_, place) => placing.misplaced(place, 'closed'));
  }
  const exceptions: Exception[] = [];
  for (const bucket of oneByOne(sorted)) exceptions.push(...(await sendOne(bucket, placing)));
  return exceptions;
}

async function sendOne<Lead extends Pick<StorableLead, 'shard'>, Exception extends { place: number }>(
  bucket: SortedLeads<Lead>,
  placing: Placing<Lead, Exception>,
): Promise<Exception[]> {
  try {
    return await sendSorted(bucket, placing);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    return bucket.places.map((place) => placing.misplaced(place, 'closed'));
  }
}

async function sendSorted<Lead, Exception extends { place: number }>(
  { leads, places, ends }: SortedLeads<Lead>,
  { send }: Placing<Lead, Exception>,
): Promise<Exception[]> {
  const exceptions = await send(leads, ends);
  return exceptions.map((exception) => ({ ...exception, place: places[exception.place] as number }));
}
