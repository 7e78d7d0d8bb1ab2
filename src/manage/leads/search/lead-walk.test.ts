import { expect, test } from 'vitest';
import type { LeadFilter } from '../../../db/leads/lead-filter.ts';
import { newestFirst } from '../../../db/leads/lead-order.ts';
import type { ListedLeadRecord } from '../../../db/leads/lead-rows.ts';
import type { LeadStretch } from '../../../db/leads/leads.ts';
import type { Queryable } from '../../../db/pool.ts';
import { dayMs } from '../../../time/clock.ts';
import { SimulatedClock } from '../../../time/simulated-clock.ts';
import { walk } from './lead-walk.ts';
import type { PageOfLeads } from './page-of-leads.ts';

const now = Date.UTC(2026, 10, 15);
const filter: LeadFilter = { fieldValues: new Map(), verdict: 'suspect' };

/** How long the stretches of a walk through an empty list of so many days take, each a fixed time and more for each day. */
async function msOfStretches(days: number, msMax: number, fixedMs: number, msPerDay: number) {
  const clock = new SimulatedClock(now);
  const taken: number[] = [];
  const fill = async (_: LeadFilter, { after, until }: LeadStretch) => {
    const newest = after?.at.getTime() ?? now;
    const ms = fixedMs + msPerDay * ((newest - (until?.getTime() ?? now - days * dayMs)) / dayMs);
    taken.push(ms);
    clock.leap(ms);
  };
  const oldest = [{ at: new Date(now - days * dayMs) }];
  const db = { query: async () => ({ rows: oldest }) } as unknown as Queryable;
  const page = { isFull: false, fill } as unknown as PageOfLeads<ListedLeadRecord>;
  const search = { db, clock, workspaceId: '00', sortedLeadsMax: 1, order: newestFirst };
  const reached = await walk({ ...search, deadline: now + msMax }, { filter, after: null, page });
  return { taken, isEnd: reached === null };
}

test('the last stretch before the deadline is not expected to take longer than is left', async () => {
  for (const msPerDay of [0.2, 1, 2]) {
    const { taken } = await msOfStretches(2_000, 40, 2, msPerDay);
    const total = taken.reduce((sum, ms) => sum + ms, 0);
    expect(total).toBeGreaterThanOrEqual(40);
    // The shortest stretch, of four days, is begun as long as there is time.
    expect(total).toBeLessThanOrEqual(40 + 2 + 4 * msPerDay);
  }
});

test('a walk without a deadline takes few stretches, because each has a fixed cost', async () => {
  const { taken, isEnd } = await msOfStretches(2_000, Number.POSITIVE_INFINITY, 2, 0.01);
  expect(isEnd).toBe(true);
  expect(taken).toHaveLength(4);
});
