import { expect, test } from 'vitest';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import type { LeadOrder } from '../../../db/leads/lead-order.ts';
import { listedLeads } from '../../../db/leads/lead-rows.ts';
import type { Queryable } from '../../../db/pool.ts';
import { SimulatedClock } from '../../../time/simulated-clock.ts';
import { groupsOf, searchGroups } from './grouped-search.ts';

const formIds = ['ada', 'bob', 'cyd'];

/** How many groups of an empty list are looked into. */
async function groupsSearched(order: LeadOrder, filter: Partial<LeadFilter>): Promise<number> {
  let statements = 0;
  const query = async () => {
    statements++;
    return { rows: [] };
  };
  await searchGroups(
    {
      ...{ clock: new SimulatedClock(0), db: { query } as unknown as Queryable, workspaceId: '00', order },
      ...{ sortedLeadsMax: 1, deadline: Number.POSITIVE_INFINITY, shown: listedLeads },
      filter: { fieldValues: new Map(), ...filter },
      request: { after: null, limit: 1, bytesMax: 1 },
    },
    groupsOf(order) ?? [],
  );
  return statements;
}

test.each([true, false])(
  'of a sorted list, only the groups that its filter allows are searched, ascending: %s',
  async (isAscending) => {
    const byVerdict: LeadOrder = { column: 'verdict', isAscending };
    expect(await groupsSearched(byVerdict, { surface: 'webhook' })).toBe(3);
    expect(await groupsSearched(byVerdict, { verdict: 'spam' })).toBe(1);
    const byForm: LeadOrder = { column: 'form', isAscending, formIds };
    expect(await groupsSearched(byForm, { surface: 'webhook' })).toBe(4);
    expect(await groupsSearched(byForm, { formId: 'bob' })).toBe(1);
    expect(await groupsSearched(byForm, { formId: 'not known yet' })).toBe(1);
  },
);
