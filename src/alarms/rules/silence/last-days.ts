import type pg from 'pg';
import { readLastDay } from '../../../db/alarms/facts/accepted-leads.ts';
import { listReplacedTokens, listSwitchings } from '../../../db/alarms/facts/pauses.ts';
import type { Interval } from '../../../domain/alarm/silence/interval.ts';
import { pausesOf } from '../../../domain/alarm/silence/pauses.ts';
import { dayMs, minuteMs } from '../../../time/clock.ts';
import { type SourceId, sourceKey } from './known-sources.ts';

/** What is only asked of sources that may be silent. */
export interface LastDays {
  /** The last lead that was counted, in milliseconds. */
  readonly lastAt: number;
  /** In the 24 hours up to then. */
  readonly leads: number;
  /** When people had turned the form off. */
  readonly pauses: readonly Interval[];
  /** The token was rotated, so nobody should use it any more. */
  readonly isReplaced: boolean;
}

interface Read extends LastDays {
  readonly readAt: number;
  /** As it was known when this was read. */
  readonly knownLastAt: number;
}

/** An instance that could not reach the database writes its counts late, with their times. So it is asked again now and then. */
const freshMs = 30 * minuteMs;
/** How late counts are looked for. */
const lateMs = 2 * dayMs;
/** So that many sources that fall silent together do not hold up the judging: the others follow in the next minute. */
const readsMax = 100;

/** The days before a silence began, of the few sources that may be silent. */
export class LastDaysReader {
  readonly #read = new Map<string, Read>();
  #left = readsMax;

  /** Each judgement may read so many. */
  begin(): void {
    this.#left = readsMax;
  }

  forget(source: SourceId): void {
    this.#read.delete(sourceKey(source));
  }

  /** Null if there was no time for it in this judgement. */
  async of(pool: pg.Pool, source: SourceId, lastAt: number, now: number): Promise<LastDays | null> {
    const key = sourceKey(source);
    const known = this.#read.get(key);
    if (known !== undefined && known.knownLastAt === lastAt && Math.abs(now - known.readAt) < freshMs)
      return known;
    if (this.#left === 0) return known?.knownLastAt === lastAt ? known : null;
    this.#left--;
    const read = await this.#ask(pool, source, lastAt, now);
    this.#read.set(key, read);
    return read;
  }

  async #ask(pool: pg.Pool, source: SourceId, knownLastAt: number, now: number): Promise<Read> {
    const late = await readLastDay(pool, source, new Date(Math.max(knownLastAt, now - lateMs)));
    const found = late.lastAt === null ? await readLastDay(pool, source, new Date(knownLastAt)) : late;
    const { workspaceId, formId, tokenId } = source;
    const switchings = await listSwitchings(pool, workspaceId, new Date(knownLastAt - dayMs));
    const replaced = tokenId === null ? [] : await listReplacedTokens(pool, [tokenId]);
    return {
      lastAt: Math.max(found.lastAt?.getTime() ?? 0, knownLastAt),
      leads: found.leads,
      pauses: pausesOf(switchings, formId),
      isReplaced: replaced.length > 0,
      readAt: now,
      knownLastAt,
    };
  }
}
