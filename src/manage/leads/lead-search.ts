import type pg from 'pg';
import type { Preparing } from '../../contract/leads/list-options.ts';
import type { LeadFilter } from '../../db/leads/lead-filter.ts';
import { type LeadOrder, type LeadPlace, verdictOrder } from '../../db/leads/lead-order.ts';
import type { ListedLeadRecord, ShownLeads } from '../../db/leads/lead-rows.ts';
import type { LeadCondition } from '../../db/leads/lead-where.ts';
import { findLeads, findPlace, findSortedLeads } from '../../db/leads/leads.ts';
import type { Clock } from '../../time/clock.ts';
import type { LeadQuery } from './lead-query.ts';
import { walk } from './lead-walk.ts';
import { PageOfLeads } from './page-of-leads.ts';

export interface LeadSearch<Row extends ListedLeadRecord> {
  readonly leads: Row[];
  /** Where it stopped before the end of the list. Null if it found enough or searched the whole list. */
  readonly reached: LeadPlace | null;
  /** It stopped because of the size, and there may be more. */
  readonly isCut: boolean;
  /** Not null if the list has only the newest leads so far. */
  readonly preparing: Preparing;
}

export interface SearchDeps {
  readonly pool: pg.Pool;
  readonly clock: Clock;
}

export interface LeadPageRequest {
  readonly after: LeadPlace | null;
  readonly limit: number;
  readonly bytesMax: number;
}

/** Enough for half a million leads that the index decides on, and below 100 ms including the last stretch. */
export const searchMsMax = 40;

/** So many leads are sorted for each request; more need an index. */
const sortedLeadsMax = 10_000;

/**
 * A page of the list.
 *
 *   sorted by                 how
 *   time                      a walk along the list
 *   verdict, form             a walk for each value, because the index of the list has both
 *   anything, with few leads  all are read and sorted
 */
export async function searchLeads<Row extends ListedLeadRecord>(
  deps: SearchDeps,
  workspaceId: string,
  { filter, order }: LeadQuery,
  request: LeadPageRequest,
  msMax: number,
  shown: ShownLeads<Row>,
): Promise<LeadSearch<Row>> {
  const { pool, clock } = deps;
  const deadline = clock.now() + msMax;
  const { limit, bytesMax } = request;
  if (order.column === 'received') {
    const page = new PageOfLeads<Row>(limit, bytesMax, (stretch) =>
      findLeads(pool, workspaceId, filter, stretch, shown),
    );
    const reached = await walk(deps, workspaceId, filter, order, { after: request.after, page, deadline });
    return { ...page.found(), reached, preparing: null };
  }
  const whole = { after: null, limit, bytesMax, readMax: sortedLeadsMax + 1 };
  const isLarge = (await findPlace(pool, workspaceId, filter, whole)) !== null;
  const groups = isLarge ? groupsOf(order) : null;
  if (groups !== null)
    return searchGroups(deps, workspaceId, { filter, order }, groups, request, deadline, shown);
  const page = new PageOfLeads<Row>(limit, bytesMax, (stretch) =>
    findSortedLeads(pool, workspaceId, filter, order, stretch, shown),
  );
  await page.fill({ after: request.after, readMax: sortedLeadsMax });
  const preparing = isLarge ? { sorted: sortedLeadsMax, done: 0, total: 0 } : null;
  return { ...page.found(), reached: null, preparing };
}

/** In ascending order; null if there are too many values for a walk each. */
function groupsOf({ column, formIds = [] }: LeadOrder): LeadCondition[] | null {
  if (column === 'verdict')
    return verdictOrder.map((value): LeadCondition => ({ field: 'verdict', op: 'eq', value }));
  if (column !== 'form') return null;
  const known = formIds.map((id): LeadCondition => ({ formIds: [id], isNot: false }));
  return [...known, { formIds, isNot: true }];
}

const beforeAll = new Date(0);
const afterAll = new Date('9999-01-01T00:00:00Z');
const anyId = '00000000-0000-0000-0000-000000000000';

async function searchGroups<Row extends ListedLeadRecord>(
  deps: SearchDeps,
  workspaceId: string,
  { filter, order }: LeadQuery,
  groups: readonly LeadCondition[],
  { after, limit, bytesMax }: LeadPageRequest,
  deadline: number,
  shown: ShownLeads<Row>,
): Promise<LeadSearch<Row>> {
  const { isAscending } = order;
  const leads: Row[] = [];
  const step = isAscending ? 1 : -1;
  const first = after?.value == null ? (isAscending ? 0 : groups.length - 1) : Number(after.value.number);
  let bytesLeft = bytesMax;
  for (let number = first; ; number += step) {
    const group = groups[number];
    if (group === undefined) return { leads, reached: null, isCut: false, preparing: null };
    const value = { rank: 0, number: String(number), text: '' };
    const inGroup: LeadFilter = { ...filter, where: [...(filter.where ?? []), group] };
    const page = new PageOfLeads<Row>(limit - leads.length, bytesLeft, (stretch) =>
      findLeads(deps.pool, workspaceId, inGroup, stretch, shown),
    );
    const reached = await walk(deps, workspaceId, inGroup, order, {
      after: number === first ? after : null,
      page,
      deadline,
    });
    const found = page.found();
    leads.push(...found.leads.map((lead) => ({ ...lead, sortValue: value })));
    bytesLeft -= found.leads.reduce((sum, { jsonBytes }) => sum + jsonBytes, 0);
    if (page.isFull) return { leads, reached: null, isCut: true, preparing: null };
    if (reached !== null)
      return { leads, reached: { ...reached, value }, isCut: found.isCut, preparing: null };
    if (deps.clock.now() >= deadline && groups[number + step] !== undefined) {
      const end = { at: isAscending ? afterAll : beforeAll, id: anyId, value };
      return { leads, reached: end, isCut: false, preparing: null };
    }
  }
}
