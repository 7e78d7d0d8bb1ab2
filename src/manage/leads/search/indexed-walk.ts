import type { Position } from '../../../db/keyset.ts';
import { type PlaceInBlock, readPlaces } from '../../../db/leads/blocks/block-reads.ts';
import type { Block } from '../../../db/leads/blocks/block-rows.ts';
import type { ListedLeadRecord } from '../../../db/leads/lead-rows.ts';
import type { GramRange } from '../../../domain/lead/blocks/grams.ts';
import { eachPlace, findCandidates } from './grams-of-filter.ts';
import { beforeAllIds, type Walk, walk } from './lead-walk.ts';
import type { Searching } from './search-parts.ts';
import { overlaps, type Segment, within } from './segments.ts';

const firstBlocks = 8;
const blocksGrowth = 8;
const blocksMax = 512;
const candidatesAtOnce = 400;

/** As `walk`, but of leads that blocks cover it reads only those that have the grams. */
export async function indexedWalk<Row extends ListedLeadRecord>(
  search: Searching<Row>,
  grams: readonly GramRange[],
  segments: readonly Segment[],
  { filter, after, page }: Walk<Row>,
): Promise<Position | null> {
  const { isAscending } = search.order;
  for (const segment of isAscending ? segments.toReversed() : segments) {
    let reached: Position | null = null;
    if (segment.blocks === null) {
      const inside = within(segment.open, filter);
      if (!overlaps(segment.open, filter) || isBehind(segment.open, after, isAscending)) continue;
      const isInside = after !== null && after.at >= segment.open.from && after.at < segment.open.to;
      reached = await walk(search, { filter: inside, after: isInside ? after : null, page });
    } else {
      const blocks = segment.blocks.filter(
        (block) => overlaps(block, filter) && !isBehind(block, after, isAscending),
      );
      reached = await walkBlocks(search, grams, isAscending ? blocks.toReversed() : blocks, {
        filter,
        after,
        page,
      });
    }
    if (reached !== null || page.isFull) return reached;
  }
  return null;
}

/** Whether all of an interval comes before a place in the list. */
function isBehind(
  { from, to }: { readonly from: Date; readonly to: Date },
  after: Position | null,
  isAscending: boolean,
): boolean {
  if (after === null) return false;
  if (isAscending) return to <= after.at;
  return from > after.at || (from.getTime() === after.at.getTime() && after.id === beforeAllIds);
}

async function walkBlocks<Row extends ListedLeadRecord>(
  { db, clock, workspaceId, order: { isAscending }, deadline }: Searching<Row>,
  grams: readonly GramRange[],
  blocks: readonly Block[],
  { filter, after, page }: Walk<Row>,
): Promise<Position | null> {
  let count = firstBlocks;
  for (let start = 0; start < blocks.length; ) {
    const some = blocks.slice(start, start + count);
    start += count;
    count = Math.min(blocksMax, count * blocksGrowth);
    const places = eachPlace(await findCandidates(db, workspaceId, some, grams), isAscending);
    for (let next = take(places); next.length > 0; next = take(places)) {
      const leads = await readPlaces(db, workspaceId, next);
      const ids = leads.map(({ id }) => id);
      await page.fill(filter, { after, readMax: ids.length, ids, isOldestFirst: isAscending });
      if (page.isFull) return null;
      if (clock.now() >= deadline && next.length === candidatesAtOnce) return leads.at(-1) ?? null;
    }
    const last = some.at(-1);
    if (clock.now() >= deadline && last !== undefined && start < blocks.length)
      return { at: isAscending ? last.to : last.from, id: beforeAllIds };
  }
  return null;
}

function take(places: Generator<PlaceInBlock>): PlaceInBlock[] {
  const some: PlaceInBlock[] = [];
  while (some.length < candidatesAtOnce) {
    const { value, done } = places.next();
    if (done === true) break;
    some.push(value);
  }
  return some;
}
