import type { Position } from '../../../db/keyset.ts';
import { isFoundByMark, type LeadFilter, passesOver, readsEachLead } from '../../../db/leads/lead-filter.ts';
import type { ListedLeadRecord } from '../../../db/leads/lead-rows.ts';
import { findOldestTime, findPlace } from '../../../db/leads/leads.ts';
import { dayMs } from '../../../time/clock.ts';
import type { PageOfLeads } from './page-of-leads.ts';
import type { Searching } from './search-parts.ts';

// A workspace can receive 100,000 leads a day, which take about 30 ms to skip in the index.
const firstSpanMs = 4 * dayMs;
const spanGrowth = 8;
const firstReadMax = 2_000;
const readMaxMax = 8_000;
const readGrowth = 2;
const quickMs = 10;
export const beforeAllIds = '00000000-0000-0000-0000-000000000000';

export interface Walk<Row extends ListedLeadRecord> {
  readonly filter: LeadFilter;
  readonly after: Position | null;
  readonly page: PageOfLeads<Row>;
}

/**
 * Searches along the list by time in stretches, so that no call takes long however many leads there are and however few
 * match. A stretch is bounded by a time, which limits what is skipped in the index, and by a number of leads, which limits
 * what is read from the table; both grow while stretches are quick, because each has a fixed cost, but not beyond what can be
 * done before the deadline. Returns where it ran out of time, and null if the page is full or the list ended.
 */
export async function walk<Row extends ListedLeadRecord>(
  { db, clock, workspaceId, order, deadline }: Omit<Searching<Row>, 'filter' | 'request' | 'shown'>,
  { filter, after, page }: Walk<Row>,
): Promise<Position | null> {
  const isOldestFirst = order.isAscending;
  if (!passesOver(filter) || isFoundByMark(filter)) {
    await page.fill(filter, { after, readMax: readMaxMax, isOldestFirst });
    return null;
  }
  const oldest = await findOldestTime(db, workspaceId);
  if (oldest === null) return null;
  const first = Math.max(oldest.getTime(), filter.from?.getTime() ?? 0);
  let place = after;
  let span = firstSpanMs;
  let readMax = firstReadMax;
  for (;;) {
    const startedAt = clock.now();
    const newest = filter.to?.getTime() ?? startedAt;
    const start = place?.at.getTime() ?? (isOldestFirst ? first : newest);
    const until = new Date(isOldestFirst ? start + span : start - span);
    const isLast = isOldestFirst ? until.getTime() > newest : until.getTime() <= first;
    const stretch = await page.fill(filter, {
      after: place,
      until: isLast ? undefined : until,
      readMax,
      isOldestFirst,
    });
    // The next stretch has not been searched.
    if (page.isFull) return null;
    const stoppedAt = readsEachLead(filter) ? await findPlace(db, workspaceId, filter, stretch) : null;
    if (stoppedAt === null && isLast) return null;
    place = stoppedAt ?? { at: until, id: beforeAllIds };
    const now = clock.now();
    if (now >= deadline) return place;
    const took = now - startedAt;
    // As far as the next one is expected to be done in time.
    const growthMax = (deadline - now) / took;
    const growth = (most: number) => Math.min(took > quickMs ? 1 : most, growthMax);
    if (stoppedAt === null) span = Math.max(firstSpanMs, span * growth(spanGrowth));
    else readMax = Math.max(firstReadMax, Math.min(readMaxMax, Math.floor(readMax * growth(readGrowth))));
  }
}
