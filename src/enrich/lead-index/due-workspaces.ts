import { listBlocks } from '../../db/leads/blocks/block-rows.ts';
import { listWithGaps, listWorkspaceIds, readEventCounts } from '../../db/leads/blocks/uncovered.ts';
import { countLeads } from '../../db/leads/sorted-leads.ts';
import type { Queryable } from '../../db/pool.ts';

const beginning = new Date(0);
const end = new Date('9999-01-01T00:00:00Z');

/**
 * The workspaces that may have a block to build. Two statements find them, however many workspaces there are:
 *
 *   after a start        all
 *   a block was deleted  found by the gap that it left
 *   otherwise            one that has had at least as many events as it lacked leads for a block when it was last looked at
 */
export class DueWorkspaces {
  readonly #db: Queryable;
  readonly #blockLeads: number;
  /** The number of events with which a workspace is due; those that are not here are due with the first. */
  readonly #dueWith = new Map<string, number>();
  #counts: ReadonlyMap<string, number> = new Map();
  #hasStarted = false;

  constructor(db: Queryable, blockLeads: number) {
    this.#db = db;
    this.#blockLeads = blockLeads;
  }

  async find(): Promise<string[]> {
    // Read first: a lead that comes meanwhile is counted twice rather than not at all.
    this.#counts = await readEventCounts(this.#db);
    if (!this.#hasStarted) {
      const all = await listWorkspaceIds(this.#db);
      this.#hasStarted = true;
      return all;
    }
    for (const id of this.#dueWith.keys()) if (!this.#counts.has(id)) this.#dueWith.delete(id);
    const grown = [...this.#counts].filter(([id, count]) => count >= (this.#dueWith.get(id) ?? 0));
    return [...new Set([...(await listWithGaps(this.#db)), ...grown.map(([id]) => id)])];
  }

  /** There is nothing to build in this workspace now. It stays due if it only waits until its leads are old enough. */
  async looked(workspaceId: string): Promise<void> {
    const [newest] = await listBlocks(this.#db, workspaceId);
    const needed = newest === undefined ? this.#blockLeads : this.#blockLeads + 1;
    const uncovered = await countLeads(this.#db, workspaceId, {
      from: newest?.to ?? beginning,
      to: end,
      countMax: needed,
    });
    this.#dueWith.set(workspaceId, (this.#counts.get(workspaceId) ?? 0) + needed - uncovered);
  }
}
