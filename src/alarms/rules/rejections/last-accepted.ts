import { readLastAccepted } from '../../../db/alarms/facts/last-accepted.ts';
import { type CountedBy, onNode } from '../../../db/alarms/facts/sources.ts';
import { dayMs, minuteMs } from '../../../time/clock.ts';
import type { Judgement } from '../../rule.ts';
import { sourceKey } from './sources.ts';

/** Nearly all have sent something lately. Only for the others is it worth reading the counts of a month. */
const lookBackMs = [dayMs, 30 * dayMs] as const;
/** Counts of the last hour are seen in every judgement. After a longer pause some may have been missed. */
const pauseMsMax = 50 * minuteMs;
/** The others follow a minute later. */
const readsMax = 500;

/**
 * When the last lead of a source was accepted. What was read once is kept and brought up to date by the counts of the last
 * hour, because a source that never sent anything takes long to look for.
 */
export class LastAccepted {
  #known = new Map<string, { readonly workspaceId: string; readonly at: Date | null }>();
  #seenAt = Number.NEGATIVE_INFINITY;

  /** Before anything is asked, in every judgement. */
  see({ now, counts, workspaces }: Judgement): void {
    const pausedMs = now.getTime() - this.#seenAt;
    if (pausedMs < 0 || pausedMs > pauseMsMax) this.#known.clear();
    this.#seenAt = now.getTime();
    for (const [key, { workspaceId }] of this.#known) {
      if (!workspaces.has(workspaceId)) this.#known.delete(key);
    }
    for (const counted of counts) {
      if (counted.outcome === 'accepted')
        this.#known.set(sourceKey(counted), { workspaceId: counted.workspaceId, at: counted.lastAt });
    }
  }

  /** Null for a source of which no lead was accepted in 30 days, or nothing is known yet. */
  async of(judgement: Judgement, sources: readonly CountedBy[]): Promise<(source: CountedBy) => Date | null> {
    const unknown = sources
      .filter((source) => source.tokenId === null && !this.#known.has(sourceKey(source)))
      .slice(0, readsMax);
    for (const shards of judgement.shardGroups) await this.#read(judgement, onNode(unknown, shards));
    return (source) => this.#at(judgement, source);
  }

  #at({ workspaces }: Judgement, source: CountedBy): Date | null {
    const { workspaceId, tokenId } = source;
    const counted = this.#known.get(sourceKey(source))?.at ?? null;
    // Written with the counts of accepted leads.
    const used = tokenId === null ? null : workspaces.get(workspaceId)?.tokens.get(tokenId)?.lastUsedAt;
    if (used == null || counted === null) return counted ?? used ?? null;
    return counted > used ? counted : used;
  }

  async #read({ pool, now }: Judgement, sources: readonly CountedBy[]): Promise<void> {
    let left = sources;
    for (const backMs of lookBackMs) {
      if (left.length === 0) return;
      const found = await readLastAccepted(pool, left, new Date(now.getTime() - backMs));
      for (const [index, at] of found.entries()) {
        const source = left[index];
        if (source !== undefined) this.#known.set(sourceKey(source), { workspaceId: source.workspaceId, at });
      }
      left = left.filter((_, index) => found[index] === null);
    }
  }
}
