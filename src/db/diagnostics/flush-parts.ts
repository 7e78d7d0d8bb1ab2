import type pg from 'pg';
import { addMintCounts, type MintCountPart } from '../browser/mint-counts.ts';
import type { FlushPart, IngestNode } from '../ingest/ingest-database.ts';
import { applyOnce, applyOnceOnNode } from './flush-once.ts';
import { applyFlush, applyFlushOnNode, type BucketOf, byBucket } from './outcomes.ts';

/** Where everything is written that is counted in memory. */
type CountsPart = FlushPart & MintCountPart;

export interface FlushPartsDeps {
  /** Also on a cluster that of the coordinator: it sends rows to their node. */
  readonly pool: pg.Pool;
  /** The node for all rows, or for those of no workspace. */
  readonly alone: IngestNode;
  readonly nodeOf: (shard: number) => IngestNode;
  readonly bucketOf: BucketOf;
}

/**
 * One part on one server. On a cluster one per node, so that diagnostics of a node that is down wait alone, and one for the
 * tables of the coordinator. A part always claims its flushes in the same table, even if the service has found out about the
 * nodes between two attempts.
 */
export class FlushParts {
  readonly #deps: FlushPartsDeps;
  readonly #parts = new Map<IngestNode, CountsPart>();

  constructor(deps: FlushPartsDeps) {
    this.#deps = deps;
  }

  of(shard: number | null): CountsPart {
    const { alone, nodeOf } = this.#deps;
    const node = shard === null ? alone : nodeOf(shard);
    let part = this.#parts.get(node);
    if (part === undefined) {
      part = this.#partOf(node);
      this.#parts.set(node, part);
    }
    return part;
  }

  #partOf(node: IngestNode): CountsPart {
    const { pool, alone, bucketOf } = this.#deps;
    const isAlone = node === alone;
    const apply = isAlone ? applyFlush : applyFlushOnNode;
    return {
      apply: (instanceId, sequence, now, flush, rest) =>
        apply(pool, instanceId, sequence, now, flush, bucketOf, rest),
      async addMintCounts(instanceId, sequence, now, counts) {
        const write = async (client: pg.PoolClient) => {
          for (const ofBucket of byBucket(counts, bucketOf)) await addMintCounts(client, ofBucket);
        };
        if (isAlone) await applyOnce(pool, instanceId, sequence, now, write);
        else await applyOnceOnNode(pool, counts, instanceId, sequence, now, write);
      },
    };
  }
}
