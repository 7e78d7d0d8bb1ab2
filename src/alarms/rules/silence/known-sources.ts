import type pg from 'pg';
import { listLastAccepted } from '../../../db/alarms/facts/accepted-leads.ts';
import { listRhythms, type SourceRhythm } from '../../../db/alarms/source-rhythms.ts';
import { dayMs, minuteMs } from '../../../time/clock.ts';
import type { Judgement } from '../../rule.ts';

/** Rhythms are learnt once a day, so the last lead of each source is in its rhythm, or newer than this. */
const lookBackMs = 2 * dayMs;
/** The counts of a judgement are those of the last hour. After a longer pause there is a hole. */
const countsMs = 50 * minuteMs;
/** Another instance may have written a rhythm a little later than its time says. */
const slackMs = 5 * minuteMs;

export interface SourceId {
  readonly workspaceId: string;
  readonly formId: string;
  /** Null for the whole form. */
  readonly tokenId: string | null;
}

export function sourceKey({ formId, tokenId }: Pick<SourceId, 'formId' | 'tokenId'>): string {
  return tokenId === null ? formId : `${formId} ${tokenId}`;
}

/**
 * The rhythm and the last lead of each source. Read once; after that, only what is new. Nothing in it is lost when another
 * instance takes over: it reads everything again.
 */
export class KnownSources {
  readonly #rhythms = new Map<string, SourceRhythm>();
  /** In milliseconds, by source. */
  readonly #lastAt = new Map<string, number>();
  /** By shard: until when its rhythms are known. */
  readonly #rhythmsUntil = new Map<number, number>();
  /** By shard: until when its leads are known. */
  readonly #leadsUntil = new Map<number, number>();

  async update({ now, pool, shardGroups, counts }: Judgement): Promise<void> {
    for (const shards of shardGroups) {
      await this.#readRhythms(pool, shards, now.getTime());
      await this.#readLeads(pool, shards, now.getTime());
    }
    for (const { formId, tokenId, outcome, lastAt } of counts)
      if (outcome === 'accepted') this.#note(formId, tokenId, lastAt.getTime());
  }

  rhythms(): Iterable<SourceRhythm> {
    return this.#rhythms.values();
  }

  /** Null if there was none for long. */
  lastAt(source: Pick<SourceId, 'formId' | 'tokenId'>): number | null {
    const key = sourceKey(source);
    const noted = this.#lastAt.get(key);
    const learnt = this.#rhythms.get(key)?.lastAcceptedAt.getTime();
    if (noted === undefined || learnt === undefined) return noted ?? learnt ?? null;
    return Math.max(noted, learnt);
  }

  /** For a lead whose count was written late. */
  noteLead(source: SourceId, at: number): void {
    this.#note(source.formId, source.tokenId, at);
  }

  forget(source: SourceId): void {
    this.#rhythms.delete(sourceKey(source));
    this.#lastAt.delete(sourceKey(source));
  }

  async #readRhythms(pool: pg.Pool, shards: readonly number[], now: number): Promise<void> {
    const since = Math.min(...shards.map((shard) => this.#rhythmsUntil.get(shard) ?? 0));
    for (const rhythm of await listRhythms(pool, shards, new Date(since))) {
      const key = sourceKey(rhythm);
      // One that is known stays the same object, for which more was computed.
      if (this.#rhythms.get(key)?.computedAt.getTime() !== rhythm.computedAt.getTime())
        this.#rhythms.set(key, rhythm);
    }
    for (const shard of shards) this.#rhythmsUntil.set(shard, now - slackMs);
  }

  async #readLeads(pool: pg.Pool, shards: readonly number[], now: number): Promise<void> {
    const until = Math.min(...shards.map((shard) => this.#leadsUntil.get(shard) ?? 0));
    // A clock that was set back leaves a hole, too.
    if (Math.abs(now - until) > countsMs) {
      const since = Math.max(now - lookBackMs, Math.min(now, until) - slackMs);
      for (const { formId, tokenId, lastAt } of await listLastAccepted(pool, shards, new Date(since)))
        this.#note(formId, tokenId, lastAt.getTime());
    }
    for (const shard of shards) this.#leadsUntil.set(shard, now);
  }

  /** A lead by a token is also one of the form. */
  #note(formId: string, tokenId: string | null, at: number): void {
    for (const id of tokenId === null ? [null] : [null, tokenId]) {
      const key = sourceKey({ formId, tokenId: id });
      if (at > (this.#lastAt.get(key) ?? 0)) this.#lastAt.set(key, at);
    }
  }
}
