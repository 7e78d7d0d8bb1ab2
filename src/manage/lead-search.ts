import type pg from 'pg';
import { type Clock, dayMs } from '../clock.ts';
import type { PageRequest, Position } from '../db/keyset.ts';
import { isFoundByMark, type LeadFilter, passesOver, readsEachLead } from '../db/lead-filter.ts';
import { findLeads, findOldestTime, findPlace, type LeadRecord } from '../db/leads.ts';

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
  { after, limit }: PageRequest,
  msMax: number,
): Promise<LeadSearch> {
  if (!passesOver(filter) || isFoundByMark(filter)) {
    const leads = await findLeads(pool, workspaceId, filter, { after, limit, readMax: limit });
    return { leads, reached: null };
  }
  const oldest = await findOldestTime(pool, workspaceId);
  if (oldest === null) return { leads: [], reached: null };
  const end = Math.max(oldest.getTime(), filter.from?.getTime() ?? 0);
  const deadline = clock.now() + msMax;
  const leads: LeadRecord[] = [];
  let place = after;
  let span = firstSpanMs;
  let readMax = firstReadMax;
  for (;;) {
    const startedAt = clock.now();
    const top = place?.at ?? filter.to ?? new Date(startedAt);
    const bottom = new Date(top.getTime() - span);
    const isLast = bottom.getTime() <= end;
    const notBefore = isLast ? undefined : bottom;
    const stretch = { after: place, notBefore, limit: limit - leads.length, readMax };
    leads.push(...(await findLeads(pool, workspaceId, filter, stretch)));
    if (leads.length === limit) return { leads, reached: null };
    const stoppedAt = readsEachLead(filter) ? await findPlace(pool, workspaceId, filter, stretch) : null;
    if (stoppedAt === null && isLast) return { leads, reached: null };
    place = stoppedAt ?? { at: bottom, id: beforeAllIds };
    const now = clock.now();
    if (now >= deadline) return { leads, reached: place };
    if (now - startedAt > quickMs) continue;
    if (stoppedAt === null) span *= spanGrowth;
    else readMax = Math.min(readMaxMax, readMax * 2);
  }
}
