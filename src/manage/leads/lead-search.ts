import type pg from 'pg';
import type { LargePageRequest, Position } from '../../db/keyset.ts';
import { isFoundByMark, type LeadFilter, passesOver, readsEachLead } from '../../db/leads/lead-filter.ts';
import type { ListedLeadRecord, ShownLeads } from '../../db/leads/lead-rows.ts';
import {
  type FoundLeads,
  findLeads,
  findOldestTime,
  findPlace,
  type LeadStretch,
} from '../../db/leads/leads.ts';
import { type Clock, dayMs } from '../../time/clock.ts';

/**
 * Searches backwards from the newest lead in stretches, so that no call takes long however many leads there are and
 * however few match. A stretch is bounded by a time, which limits what is skipped in the index, and by a number of leads,
 * which limits what is read from the table; both grow while stretches are quick. A search that runs out of time says
 * where it stopped, and can continue from there.
 */
export interface LeadSearch<Row extends ListedLeadRecord> {
  readonly leads: Row[];
  /** Where it stopped before the end of the list. Null if it found enough or searched the whole list. */
  readonly reached: Position | null;
  /** It stopped because of the size, and there may be more. */
  readonly isCut: boolean;
}

export interface SearchDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

/** Enough for half a million leads that the index decides on, and below 100 ms including the last stretch. */
export const searchMsMax = 40;

// A workspace can receive 100,000 leads a day, which take about 30 ms to skip in the index.
const firstSpanMs = 4 * dayMs;
const spanGrowth = 8;
const firstReadMax = 2_000;
const readMaxMax = 8_000;
const quickMs = 10;
const beforeAllIds = '00000000-0000-0000-0000-000000000000';

export async function searchLeads<Row extends ListedLeadRecord>(
  { pool, clock }: SearchDeps,
  workspaceId: string,
  filter: LeadFilter,
  { after, limit, bytesMax }: LargePageRequest,
  msMax: number,
  shown: ShownLeads<Row>,
): Promise<LeadSearch<Row>> {
  const page = new PageOfLeads(limit, bytesMax, (stretch) =>
    findLeads(pool, workspaceId, filter, stretch, shown),
  );
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
    // The next stretch has not been searched.
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

/** Full after this many leads, or with the lead that passes this many bytes. */
class PageOfLeads<Row extends ListedLeadRecord> {
  readonly #leads: Row[] = [];
  readonly #limit: number;
  readonly #find: (stretch: LeadStretch) => Promise<FoundLeads<Row>>;
  #bytesLeft: number;
  #isCut = false;

  constructor(limit: number, bytesMax: number, find: (stretch: LeadStretch) => Promise<FoundLeads<Row>>) {
    this.#limit = limit;
    this.#bytesLeft = bytesMax;
    this.#find = find;
  }

  get isFull(): boolean {
    return this.#leads.length >= this.#limit || this.#bytesLeft <= 0;
  }

  /**
   * Collects the matches in a stretch until the page is full, and returns the part that was read last. One query returns
   * only as many leads as are expected to fit, so it can take several.
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

  found(reached: Position | null): LeadSearch<Row> {
    return { leads: this.#leads, reached, isCut: this.#isCut };
  }
}
