import type { Missed } from '../../db/held/held-database.ts';
import { shardOf } from '../../domain/workspace.ts';

/** How many requests were not kept, by workspace and day, until that is written. */
export class MissedCounts {
  #counts = new Map<string, Missed>();

  add(workspaceId: string, at: number): void {
    const day = new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length);
    this.#increase({ shard: shardOf(workspaceId), workspaceId, day, count: 1 });
  }

  takeAll(): Missed[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }

  /** They could not be written. */
  putBack(missed: readonly Missed[]): void {
    for (const one of missed) this.#increase(one);
  }

  #increase({ count, ...missed }: Missed): void {
    const key = `${missed.workspaceId} ${missed.day}`;
    this.#counts.set(key, { ...missed, count: (this.#counts.get(key)?.count ?? 0) + count });
  }
}
