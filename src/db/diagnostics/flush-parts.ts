import type pg from 'pg';
import type { FlushPart, IngestNode } from '../ingest/ingest-database.ts';
import { applyFlush, applyFlushOnNode, type BucketOf } from './outcomes.ts';

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
  readonly #parts = new Map<IngestNode, FlushPart>();

  constructor(deps: FlushPartsDeps) {
    this.#deps = deps;
  }

  of(shard: number | null): FlushPart {
    const { alone, nodeOf } = this.#deps;
    const node = shard === null ? alone : nodeOf(shard);
    let part = this.#parts.get(node);
    if (part === undefined) {
      part = this.#partOf(node);
      this.#parts.set(node, part);
    }
    return part;
  }

  #partOf(node: IngestNode): FlushPart {
    const { pool, alone, bucketOf } = this.#deps;
    const apply = node === alone ? applyFlush : applyFlushOnNode;
    return {
      apply: (instanceId, sequence, now, flush) => apply(pool, instanceId, sequence, now, flush, bucketOf),
    };
  }
}
