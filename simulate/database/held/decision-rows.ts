import type { HeldDecisionRecord, Progress } from '../../../src/db/held/decisions/held-decisions.ts';

interface LeasedDecision extends HeldDecisionRecord {
  readonly leasedUntil: number;
}

/** Selections that are being decided: the functions of src/db/held/decisions/held-decisions.ts. */
export class HeldDecisionRows {
  readonly rows = new Map<string, LeasedDecision>();

  insert(decision: HeldDecisionRecord): void {
    this.rows.set(decision.id, { ...decision, leasedUntil: Number.NEGATIVE_INFINITY });
  }

  take(now: Date, until: Date): HeldDecisionRecord | null {
    const [next] = this.#unfinished()
      .filter(({ leasedUntil }) => leasedUntil <= now.getTime())
      .toSorted((a, b) => a.leasedUntil - b.leasedUntil || a.createdAt.getTime() - b.createdAt.getTime());
    if (next === undefined) return null;
    this.#change(next.id, { leasedUntil: until.getTime() });
    return next;
  }

  findNextTurn(now: Date): Date | null {
    const turns = this.#unfinished().map(({ leasedUntil }) => Math.max(leasedUntil, now.getTime()));
    return turns.length === 0 ? null : new Date(Math.min(...turns));
  }

  note({ id, afterId: before }: HeldDecisionRecord, progress: Progress, now: Date): boolean {
    const row = this.rows.get(id);
    if (row === undefined || row.afterId !== before) return false;
    const { isFinished, afterId, nextAt } = progress;
    const isAllDone = isFinished && row.stoppedAt === null;
    this.#change(id, {
      done: isAllDone ? row.total : Math.min(row.done + progress.done, row.total),
      decided: row.decided + progress.decided,
      afterId,
      leasedUntil: nextAt.getTime(),
      finishedAt: isFinished ? (row.finishedAt ?? now) : row.finishedAt,
    });
    return true;
  }

  stop(workspaceId: string, id: string, at: Date): void {
    const row = this.rows.get(id);
    if (row?.workspaceId === workspaceId && row.finishedAt === null)
      this.#change(id, { stoppedAt: at, finishedAt: at });
  }

  #unfinished(): LeasedDecision[] {
    return [...this.rows.values()].filter(({ finishedAt }) => finishedAt === null);
  }

  #change(id: string, changes: Partial<LeasedDecision>): void {
    this.rows.set(id, { ...(this.rows.get(id) as LeasedDecision), ...changes });
  }
}
