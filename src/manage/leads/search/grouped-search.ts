import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import { type LeadOrder, verdictOrder } from '../../../db/leads/lead-order.ts';
import type { ListedLeadRecord } from '../../../db/leads/lead-rows.ts';
import type { LeadCondition } from '../../../db/leads/lead-where.ts';
import { findLeads, findOldestTime } from '../../../db/leads/leads.ts';
import { beforeAllIds, walk } from './lead-walk.ts';
import { PageOfLeads } from './page-of-leads.ts';
import { type LeadSearch, type Searching, type SortedLead, withValue } from './search-parts.ts';
import { groupKey } from './sorted-search.ts';

/** The values of a column in ascending order; null if it is not one that the index of the list has. */
export function groupsOf({ column, formIds = [] }: LeadOrder): LeadCondition[] | null {
  if (column === 'verdict')
    return verdictOrder.map((value): LeadCondition => ({ field: 'verdict', op: 'eq', value }));
  if (column !== 'form') return null;
  const known = formIds.map((id): LeadCondition => ({ formIds: [id], isNot: false }));
  return [...known, { formIds, isNot: true }];
}

/** Whether no lead that matches a filter can be in a group. */
function excludes({ verdict, formId }: LeadFilter, group: LeadCondition): boolean {
  if (group.formIds === undefined) return verdict !== undefined && verdict !== group.value;
  return formId !== undefined && group.formIds.includes(formId) === group.isNot;
}

const beforeAll = new Date(0);
const afterAll = new Date('9999-01-01T00:00:00Z');

/** Walks along the list for one value after the other. */
export async function searchGroups<Row extends ListedLeadRecord>(
  search: Searching<Row>,
  groups: readonly LeadCondition[],
): Promise<LeadSearch<Row>> {
  const { db, clock, workspaceId, filter, request, deadline, shown } = search;
  const { isAscending } = search.order;
  const step = isAscending ? 1 : -1;
  const leads: SortedLead<Row>[] = [];
  const keys = groups.map((_, place) => groupKey(place));
  const given = keys.indexOf(request.after?.value?.key ?? '');
  const included = groups.flatMap((group, place) => (excludes(filter, group) ? [] : [{ group, place }]));
  const inOrder = isAscending ? included : included.toReversed();
  const left = given === -1 ? inOrder : inOrder.filter(({ place }) => (place - given) * step >= 0);
  let bytesLeft = request.bytesMax;
  for (const [index, { group, place }] of left.entries()) {
    const value = { key: keys[place] ?? null };
    const inGroup: LeadFilter = { ...filter, where: [...(filter.where ?? []), group] };
    const page = new PageOfLeads<Row>(request.limit - leads.length, bytesLeft, (within, stretch) =>
      findLeads(db, workspaceId, within, stretch, shown),
    );
    const beginning = isAscending ? beforeAll : afterAll;
    const isInside = place === given && request.after?.at.getTime() !== beginning.getTime();
    const after = isInside ? request.after : null;
    const reached = await walk(search, { filter: inGroup, after, page });
    const found = page.found();
    leads.push(...withValue(found.leads, value));
    bytesLeft = found.bytesLeft;
    if (page.isFull) return { leads, reached: null, isCut: true, preparing: null };
    if (reached !== null)
      return { leads, reached: { ...reached, value }, isCut: found.isCut, preparing: null };
    const next = left[index + 1];
    if (clock.now() >= deadline && next !== undefined) {
      const searchedTo = isAscending ? newestTime(search) : await oldestTime(search);
      const reached = {
        at: beginning,
        id: beforeAllIds,
        value: { key: keys[next.place] ?? null },
        searchedTo,
      };
      return { leads, reached, isCut: false, preparing: null };
    }
  }
  return { leads, reached: null, isCut: false, preparing: null };
}

function newestTime({ clock, filter }: Searching<ListedLeadRecord>): Date {
  const now = new Date(clock.now());
  return filter.to !== undefined && filter.to < now ? filter.to : now;
}

async function oldestTime(search: Searching<ListedLeadRecord>): Promise<Date> {
  const { db, workspaceId, filter } = search;
  const oldest = (await findOldestTime(db, workspaceId)) ?? newestTime(search);
  return filter.from !== undefined && filter.from > oldest ? filter.from : oldest;
}
