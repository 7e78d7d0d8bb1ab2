import type { BucketEnds, StorableLead } from '../../ingest/ingest-commit.ts';

/** What the leads themselves tell. */
export type SortedEnds = Omit<BucketEnds, 'isDelegated'>;

/** Leads sorted by bucket, and where each of them was before. */
export interface SortedLeads<Lead> {
  readonly leads: readonly Lead[];
  readonly places: readonly number[];
  readonly ends: SortedEnds;
}

export function sortByBucket<Lead extends Pick<StorableLead, 'shard'>>(
  leads: readonly Lead[],
  bucketOf: (shard: number) => number,
): SortedLeads<Lead> {
  const ids = leads.map(({ shard }) => bucketOf(shard));
  const places = [...leads.keys()].sort((a, b) => (ids[a] as number) - (ids[b] as number) || a - b);
  const buckets: number[] = [];
  const ends: number[] = [];
  for (const [index, place] of places.entries()) {
    const id = ids[place] as number;
    if (buckets.at(-1) !== id) {
      buckets.push(id);
      ends.push(index);
    }
    ends[ends.length - 1] = index + 1;
  }
  const shard = leads[places[0] as number]?.shard ?? 0;
  return {
    leads: places.map((place) => leads[place] as Lead),
    places,
    ends: { shard, buckets, ends },
  };
}

/** The same leads, one bucket at a time. */
export function oneByOne<Lead extends Pick<StorableLead, 'shard'>>({
  leads,
  places,
  ends: { buckets, ends },
}: SortedLeads<Lead>): SortedLeads<Lead>[] {
  return buckets.map((bucket, index) => {
    const [from, to] = [ends[index - 1] ?? 0, ends[index] as number];
    const own = leads.slice(from, to);
    const shard = (own[0] as Lead).shard;
    return {
      leads: own,
      places: places.slice(from, to),
      ends: { shard, buckets: [bucket], ends: [own.length] },
    };
  });
}
