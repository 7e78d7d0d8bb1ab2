import type { Preparing } from '../../../contract/leads/list-options.ts';
import { type PlaceInBlock, readPlaces } from '../../../db/leads/blocks/block-reads.ts';
import { type Block, listBlocks } from '../../../db/leads/blocks/block-rows.ts';
import { isFoundByMark, passesOver } from '../../../db/leads/lead-filter.ts';
import { type LeadOrder, type LeadPlace, verdictOrder } from '../../../db/leads/lead-order.ts';
import type { ListedLeadRecord } from '../../../db/leads/lead-rows.ts';
import { findLeads, findPlace, readLeads } from '../../../db/leads/leads.ts';
import {
  countLeads,
  type LeadToSort,
  readLeadsToSort,
  readMatchingToSort,
} from '../../../db/leads/sorted-leads.ts';
import { columnId } from '../../../domain/lead/blocks/columns.ts';
import { compareKeys, numberKey, sortKeyOf } from '../../../domain/lead/blocks/sort-key.ts';
import { eachPlace, findCandidates, gramsOf } from './grams-of-filter.ts';
import { walk } from './lead-walk.ts';
import { PageOfLeads } from './page-of-leads.ts';
import { RunMerge } from './run-merge.ts';
import { type LeadSearch, type Searching, withValue } from './search-parts.ts';
import { openIn, overlaps, segmentsOf } from './segments.ts';

// More than a block, and what arrives until it is built.
const openShare = 3;
const candidatesMax = 3_000;
const firstBatch = 200;
const batchMax = 3_200;
const countMax = 1_000_000;

/** A lead in the list; `key` is null if it has no value. */
interface Entry {
  readonly id: string;
  readonly at: Date;
  readonly key: string | null;
}

/** True if the leads that can match are so few that they can be read and sorted. */
export async function areFew({
  db,
  workspaceId,
  filter,
  sortedLeadsMax,
}: Searching<ListedLeadRecord>): Promise<boolean> {
  if (isFoundByMark(filter)) {
    // Many may be marked at once.
    const { read } = await readLeadsToSort(db, workspaceId, filter, 'received', {
      readMax: sortedLeadsMax + 1,
    });
    return read <= sortedLeadsMax;
  }
  const whole = { after: null, limit: 1, bytesMax: 1, readMax: sortedLeadsMax + 1 };
  return (await findPlace(db, workspaceId, filter, whole)) === null;
}

export async function sortFew<Row extends ListedLeadRecord>(
  search: Searching<Row>,
): Promise<LeadSearch<Row>> {
  const { db, workspaceId, filter, order, sortedLeadsMax } = search;
  const { leads } = await readLeadsToSort(db, workspaceId, filter, order.column, { readMax: sortedLeadsMax });
  return pageOf(search, sorted(search, leads.map(entryOf(order))), { preparing: null });
}

/** With the blocks of the workspace, and the leads that none covers. */
export async function searchSorted<Row extends ListedLeadRecord>(
  search: Searching<Row>,
): Promise<LeadSearch<Row>> {
  const { db, workspaceId, filter, order } = search;
  const blocks = (await listBlocks(db, workspaceId)).filter((block) => overlaps(block, filter));
  const { open, preparing } = await readOpen(search, blocks);
  const grams = gramsOf(filter);
  const candidates =
    grams.length === 0 ? null : firstFew(await findCandidates(db, workspaceId, blocks, grams));
  if (candidates !== null) {
    const placed = await readPlaces(db, workspaceId, candidates);
    const ids = placed.map(({ id }) => id);
    const found = await readMatchingToSort(db, workspaceId, filter, order.column, ids);
    return pageOf(search, sorted(search, [...found.map(entryOf(order)), ...open]), { preparing });
  }
  return mergeBlocks(search, blocks, open, preparing);
}

/** All of them; null if they are too many. */
function firstFew(found: Awaited<ReturnType<typeof findCandidates>>): PlaceInBlock[] | null {
  const few: PlaceInBlock[] = [];
  for (const place of eachPlace(found, false)) {
    if (few.length === candidatesMax) return null;
    few.push(place);
  }
  return few;
}

/** The leads that no block covers, as far as they can be sorted for a request. */
async function readOpen(
  { db, workspaceId, filter, order, sortedLeadsMax }: Searching<ListedLeadRecord>,
  blocks: readonly Block[],
): Promise<{ readonly open: Entry[]; readonly preparing: Preparing }> {
  const open: Entry[] = [];
  const intervals = openIn(segmentsOf(blocks)).filter((interval) => overlaps(interval, filter));
  const openMax = openShare * sortedLeadsMax;
  let left = openMax;
  for (const interval of intervals) {
    const { leads, read } = await readLeadsToSort(db, workspaceId, filter, order.column, {
      ...interval,
      readMax: left + 1,
    });
    open.push(...leads.map(entryOf(order)));
    left -= read;
    if (left >= 0) continue;
    const done = blocks.reduce((sum, block) => sum + block.leads, 0);
    let total = done;
    for (const one of intervals) total += await countLeads(db, workspaceId, { ...one, countMax });
    return { open, preparing: { sorted: done + openMax, done, total } };
  }
  return { open, preparing: null };
}

async function mergeBlocks<Row extends ListedLeadRecord>(
  search: Searching<Row>,
  blocks: readonly Block[],
  open: readonly Entry[],
  preparing: Preparing,
): Promise<LeadSearch<Row>> {
  const { db, clock, workspaceId, filter, order, request, deadline } = search;
  const { after, limit } = request;
  if (after !== null && after.value?.key === null)
    return searchWithout(search, [], request.bytesMax, preparing);
  const key = after?.value?.key ?? null;
  const merge = await RunMerge.open({
    db,
    workspaceId,
    columnId: columnId(order.column),
    blocks,
    isAscending: order.isAscending,
    after: after === null || key === null ? null : { ...after, key },
  });
  const isFiltered = passesOver(filter) || filter.from !== undefined || filter.to !== undefined;
  let rest = sorted(
    search,
    open.filter((entry) => entry.key !== null),
  );
  const found: Entry[] = [];
  for (
    let count = isFiltered ? Math.max(limit, firstBatch) : limit;
    ;
    count = Math.min(batchMax, count * 2)
  ) {
    const taken = await merge.take(count);
    const leads = await readPlaces(db, workspaceId, taken);
    const entries = leads.map((lead, i): Entry => ({ ...lead, key: taken[i]?.key ?? null }));
    const isEnd = taken.length < count;
    const horizon = entries.at(-1);
    const ids = entries.map(({ id }) => id);
    const matching = isFiltered
      ? new Set((await readMatchingToSort(db, workspaceId, filter, 'received', ids)).map(({ id }) => id))
      : null;
    const isDue = (entry: Entry) => isEnd || (horizon !== undefined && compare(order, entry, horizon) <= 0);
    const due = [...entries.filter(({ id }) => matching === null || matching.has(id)), ...rest.filter(isDue)];
    rest = rest.filter((entry) => !isDue(entry));
    found.push(...due.toSorted((a, b) => compare(order, a, b)));
    if (found.length >= limit) return pageOf(search, found, { preparing });
    if (isEnd) break;
    if (clock.now() >= deadline && horizon !== undefined)
      return pageOf(search, found, { preparing, reached: placeOf(horizon) });
  }
  const page = await pageOf(search, found, { preparing });
  const bytesLeft = request.bytesMax - page.leads.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
  return page.isCut || !order.column.startsWith('field.')
    ? page
    : searchWithout(search, page.leads, bytesLeft, preparing);
}

/** The leads without a value, which come last, by time. */
async function searchWithout<Row extends ListedLeadRecord>(
  search: Searching<Row>,
  before: LeadSearch<Row>['leads'],
  bytesMax: number,
  preparing: Preparing,
): Promise<LeadSearch<Row>> {
  const { db, workspaceId, order, request, shown } = search;
  const none = { field: order.column, op: 'exists', value: false } as const;
  const filter = { ...search.filter, where: [...(search.filter.where ?? []), none] };
  const page = new PageOfLeads<Row>(request.limit - before.length, bytesMax, (within, stretch) =>
    findLeads(db, workspaceId, within, stretch, shown),
  );
  const after = request.after?.value?.key === null ? request.after : null;
  const reached = await walk(search, { filter, after, page });
  const value = { key: null };
  return {
    leads: [...before, ...withValue(page.found().leads, value)],
    reached: reached === null ? null : { ...reached, value },
    isCut: page.found().isCut || page.isFull,
    preparing,
  };
}

async function pageOf<Row extends ListedLeadRecord>(
  { db, workspaceId, request, shown }: Searching<Row>,
  entries: readonly Entry[],
  { preparing, reached = null }: { readonly preparing: Preparing; readonly reached?: LeadPlace | null },
): Promise<LeadSearch<Row>> {
  const chosen = entries.slice(0, request.limit);
  const ids = chosen.map(({ id }) => id);
  const keys = new Map(chosen.map(({ id, key }) => [id, key]));
  const { leads, isCut } = await readLeads(db, workspaceId, ids, request.bytesMax, shown);
  return {
    leads: leads.map((lead) => ({ ...lead, sortValue: { key: keys.get(lead.submissionId) ?? null } })),
    reached: isCut ? null : reached,
    isCut,
    preparing,
  };
}

/** Those after the place at which the list continues, in its order. */
function sorted(
  { order, request: { after } }: Searching<ListedLeadRecord>,
  entries: readonly Entry[],
): Entry[] {
  const place = after === null ? null : { id: after.id, at: after.at, key: after.value?.key ?? null };
  return entries
    .filter((entry) => place === null || compare(order, entry, place) > 0)
    .toSorted((a, b) => compare(order, a, b));
}

function compare({ isAscending }: LeadOrder, a: Entry, b: Entry): number {
  if ((a.key === null) !== (b.key === null)) return a.key === null ? 1 : -1;
  const byKey = a.key === null || b.key === null ? 0 : compareKeys(a.key, b.key);
  const order = byKey || a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id));
  return isAscending ? order : -order;
}

function entryOf(order: LeadOrder): (lead: LeadToSort) => Entry {
  return ({ id, at, value }) => ({ id, at, key: keyOf(order, value) });
}

function placeOf({ id, at, key }: Entry): LeadPlace {
  return { id, at, value: { key } };
}

function keyOf({ column, formIds = [] }: LeadOrder, value: string | null): string | null {
  if (column !== 'verdict' && column !== 'form') return sortKeyOf(value);
  const list: readonly string[] = column === 'verdict' ? verdictOrder : formIds;
  const place = list.indexOf(JSON.parse(value ?? '""'));
  return groupKey(place === -1 ? list.length : place);
}

/** The key of the leads with one verdict or form, by its place among the others. */
export function groupKey(place: number): string {
  return numberKey(String(place)) ?? '';
}
