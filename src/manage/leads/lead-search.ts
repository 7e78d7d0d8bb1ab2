import type pg from 'pg';
import type { LargePageRequest, Position } from '../../db/keyset.ts';
import { isFoundByMark, type LeadFilter, passesOver, readsEachLead } from '../../db/leads/lead-filter.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import {
  type FoundLeads,
  findLeads,
  findOldestTime,
  findPlace,
  type LeadStretch,
} from '../../db/leads/leads.ts';
import { type Clock, dayMs } from '../../time/clock.ts';

/**
 * The list of leads goes back from the newest in stretches, so that no call takes long however many leads there are and
 * however few match. A stretch ends at a time, which bounds what is passed over in the index, and after a number of
 * leads, which bounds what is read in the table; both grow while stretches are quick. A search that has used up its
 * time tells where it stopped, and can go on from there.
 */
export interface LeadSearch {
  readonly leads: LeadRecord[];
  /** Where it stopped before the end of the list; null when it has found enough, or has seen the whole list. */
  readonly reached: Position | null;
  /** It has found enough by their size, and there may be more. */
  readonly isCut: boolean;
}

export interface SearchDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

/** Long enough for half a million leads that the index decides on, short enough to stay below 100 ms with its last stretch. */
export const searchMsMax = 40;

// A workspace can receive 100,000 leads a day: some 30 ms to pass over in the index.
const firstSpanMs = 4 * dayMs;
const spanGrowth = 8;
const firstReadMax = 2_000;
const readMaxMax = 8_000;
const quickMs = 10;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

export async function searchLeads(
  { pool, clock }: SearchDeps,
  workspaceId: string,
  filter: LeadFilter,
  { after, limit, bytesMax }: LargePageRequest,
  msMax: number,
): Promise<LeadSearch> {
  const page = new PageOfLeads(limit, bytesMax, (stretch) => findLeads(pool, workspaceId, filter, stretch));
  if (!passesOver(filter) || isFoundByMark(filter)) {
    await page.fill({ after, readMax: limit });
    return page.found(null);
  }
  const oldest = await findOldestTime(pool, workspaceId);
  if (oldest === null) return page.found(null);
  const end = Math.max(oldest.getTime(), filter.from?.getTime() ?? 0);
  const deadline = clock.now() + msMax;
  let place = after;
  let span = firstSpanMs;
  let readMax = firstReadMax;
  for (;;) {
    const startedAt = clock.now();
    const top = place?.at ?? filter.to ?? new Date(startedAt);
    const bottom = new Date(top.getTime() - span);
    const isLast = bottom.getTime() <= end;
    const notBefore = isLast ? undefined : bottom;
    const stretch = await page.fill({ after: place, notBefore, readMax });
    // What the next stretch holds, nobody has looked at.
    if (page.isFull) return { ...page.found(null), isCut: true };
    const stoppedAt = readsEachLead(filter) ? await findPlace(pool, workspaceId, filter, stretch) : null;
    if (stoppedAt === null && isLast) return page.found(null);
    place = stoppedAt ?? { at: bottom, id: beforeAllIds };
    const now = clock.now();
    if (now >= deadline) return page.found(place);
    if (now - startedAt > quickMs) continue;
    if (stoppedAt === null) span *= spanGrowth;
    else readMax = Math.min(readMaxMax, readMax * 2);
  }
}

/** It is full with so many leads, or with the one that passes so many bytes. */
class PageOfLeads {
  readonly #leads: LeadRecord[] = [];
  readonly #limit: number;
  readonly #find: (stretch: LeadStretch) => Promise<FoundLeads>;
  #bytesLeft: number;
  #isCut = false;

  constructor(limit: number, bytesMax: number, find: (stretch: LeadStretch) => Promise<FoundLeads>) {
    this.#limit = limit;
    this.#bytesLeft = bytesMax;
    this.#find = find;
  }

  get isFull(): boolean {
    return this.#leads.length >= this.#limit || this.#bytesLeft <= 0;
  }

  /**
   * All that match in a stretch, as far as there is room; answers the part that was read last. One call sends only as
   * many leads as their bodies promise to fit, so it can take several.
   */
  async fill(whole: Pick<LeadStretch, 'after' | 'notBefore' | 'readMax'>): Promise<LeadStretch> {
    for (let after = whole.after; ; ) {
      const limit = this.#limit - this.#leads.length;
      const stretch = { ...whole, after, limit, bytesMax: this.#bytesLeft };
      const { leads, isCut } = await this.#find(stretch);
      this.#leads.push(...leads);
      this.#bytesLeft -= leads.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
      this.#isCut = isCut;
      const last = leads.at(-1);
      if (!isCut || this.isFull || last === undefined) return stretch;
      after = { at: last.receivedAt, id: last.submissionId };
    }
  }

  found(reached: Position | null): LeadSearch {
    return { leads: this.#leads, reached, isCut: this.#isCut };
  }
}
