import type pg from 'pg';
import { listBlocks } from '../../db/leads/blocks/block-rows.ts';
import { isFoundByMark, passesOver } from '../../db/leads/lead-filter.ts';
import type { ListedLeadRecord, ShownLeads } from '../../db/leads/lead-rows.ts';
import { findLeads } from '../../db/leads/leads.ts';
import { inSnapshot } from '../../db/pool.ts';
import type { GramRange } from '../../domain/lead/blocks/grams.ts';
import type { Clock } from '../../time/clock.ts';
import type { LeadQuery } from './lead-query.ts';
import { gramsOrPairOf } from './search/grams-of-filter.ts';
import { groupsOf, searchGroups } from './search/grouped-search.ts';
import { indexedWalk } from './search/indexed-walk.ts';
import { walk } from './search/lead-walk.ts';
import { PageOfLeads } from './search/page-of-leads.ts';
import { type LeadPageRequest, type LeadSearch, type Searching, withValue } from './search/search-parts.ts';
import { segmentsOf } from './search/segments.ts';
import { areFew, searchSorted, sortFew } from './search/sorted-search.ts';

export type { LeadPageRequest, LeadSearch } from './search/search-parts.ts';

export interface SearchDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
  /** Fewer in tests. */
  readonly sortedLeadsMax?: number | undefined;
}

/** Enough for half a million leads that the index of the list decides on, and below 100 ms including the last stretch. */
export const searchMsMax = 40;
/** Blocks cover a million leads in this time. */
const blocksTimeFactor = 3;

/**
 * A page of the list.
 *
 *   sorted by                   how
 *   time                        a walk along the list
 *   time, with a text           the same; of leads in blocks, only those that have all grams of the text are read
 *   anything, with few leads    all are read and sorted
 *   verdict, form               a walk for each value, because the index of the list has both
 *   score, grade, field.<key>   the runs of all blocks are merged, with the leads that no block covers
 *
 * Whatever reads blocks does so in one snapshot, because a block is deleted when one of its leads is.
 */
export async function searchLeads<Row extends ListedLeadRecord>(
  { pool, clock, sortedLeadsMax = 3_000 }: SearchDeps,
  workspaceId: string,
  { filter, order }: LeadQuery,
  request: LeadPageRequest,
  msMax: number,
  shown: ShownLeads<Row>,
): Promise<LeadSearch<Row>> {
  const startedAt = clock.now();
  const search = { clock, sortedLeadsMax, workspaceId, filter, order, request, shown };
  const briefly = { ...search, db: pool, deadline: startedAt + msMax };
  const deadline = startedAt + msMax * blocksTimeFactor;
  if (order.column === 'received') {
    const grams = isFoundByMark(filter) ? [] : gramsOrPairOf(filter);
    if (grams.length === 0) return searchByTime(briefly, null);
    return inSnapshot(pool, (db) => searchByTime({ ...search, db, deadline }, grams));
  }
  if (await areFew(briefly)) return sortFew(briefly);
  const groups = groupsOf(order);
  if (groups !== null) return searchGroups(briefly, groups);
  return inSnapshot(pool, (db) => searchSorted({ ...search, db, deadline }));
}

async function searchByTime<Row extends ListedLeadRecord>(
  search: Searching<Row>,
  grams: readonly GramRange[] | null,
): Promise<LeadSearch<Row>> {
  const { db, workspaceId, filter, request, shown } = search;
  const page = new PageOfLeads<Row>(request.limit, request.bytesMax, (within, stretch) =>
    findLeads(db, workspaceId, within, stretch, shown),
  );
  const along = { filter, after: request.after, page };
  const reached =
    grams === null
      ? await walk(search, along)
      : await indexedWalk(search, grams, segmentsOf(await listBlocks(db, workspaceId)), along);
  const { leads, isCut } = page.found();
  return {
    leads: withValue(leads, null),
    reached: reached === null ? null : { ...reached, value: null },
    isCut: isCut || (page.isFull && passesOver(filter)),
    preparing: null,
  };
}
