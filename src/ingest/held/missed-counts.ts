import type { Missed } from '../../db/held/held-database.ts';
import { shardOf } from '../../domain/workspace.ts';
import { dayMs, utcDay } from '../../time/clock.ts';

/** How many requests were not kept, by workspace and day, until that is written. A flood has many, so adding one is cheap. */
export class MissedCounts {
  #days = new Map<number, Map<string, number>>();

  add(workspaceId: string, at: number): void {
    this.#increase(Math.floor(at / dayMs), workspaceId, 1);
  }

  takeAll(): Missed[] {
    const taken = [...this.#days].flatMap(([number, counts]) => {
      const day = utcDay(number * dayMs);
      return [...counts].map(([workspaceId, count]) => ({
        shard: shardOf(workspaceId),
        workspaceId,
        day,
        count,
      }));
    });
    this.#days = new Map();
    return taken;
  }

  /** They could not be written. */
  putBack(missed: readonly Missed[]): void {
    for (const { day, workspaceId, count } of missed)
      this.#increase(Date.parse(day) / dayMs, workspaceId, count);
  }

  #increase(day: number, workspaceId: string, count: number): void {
    let counts = this.#days.get(day);
    if (counts === undefined) {
      counts = new Map();
      this.#days.set(day, counts);
    }
    counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + count);
  }
}
