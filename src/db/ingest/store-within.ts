import type pg from 'pg';
import { readBucketMap } from '../citus/nodes/bucket-map.ts';
import {
  type DrainException,
  ingestDrainOnNode,
  ingestDrainWithin,
  type SpooledLead,
} from './ingest-drain.ts';

/**
 * Stores a lead as the drain does, as part of a transaction. On a cluster the node stores it in a transaction of its own,
 * because Citus does not run functions on nodes within one: the lead stays stored even if the caller then fails. Storing it
 * again finds it, so a caller that deletes its own copy last can be repeated.
 */
export async function storeWithin(
  pool: pg.Pool,
  client: pg.PoolClient,
  lead: SpooledLead,
): Promise<DrainException | null> {
  const map = await readBucketMap(pool);
  const bucket = map?.[lead.shard]?.bucket;
  const [exception] =
    bucket === undefined
      ? await ingestDrainWithin(client, [lead])
      : await ingestDrainOnNode(pool, [lead], {
          isDelegated: true,
          shard: lead.shard,
          buckets: [bucket],
          ends: [1],
        });
  return exception ?? null;
}
