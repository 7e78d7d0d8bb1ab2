import type pg from 'pg';
import { expect } from 'vitest';
import type { LeadFilter } from '../../../../src/db/leads/lead-filter.ts';
import type { LeadOrder, LeadPlace } from '../../../../src/db/leads/lead-order.ts';
import { listedLeads } from '../../../../src/db/leads/lead-rows.ts';
import { buildNextBlock } from '../../../../src/enrich/lead-index/lead-index.ts';
import { type LeadPageRequest, searchLeads } from '../../../../src/manage/leads/lead-search.ts';
import { systemClock } from '../../../../src/time/real-clock.ts';

/** Until there is nothing to build. */
export async function build(
  pool: pg.Pool,
  workspaceId: string,
  blockLeads: number,
  blocksMax = 100,
  bytesMax?: number,
): Promise<void> {
  for (let built = 0; built < blocksMax; built++)
    if ((await buildNextBlock({ pool, clock: systemClock }, workspaceId, blockLeads, bytesMax)) === null)
      return;
}

/** The IDs of all pages. */
export async function listed(
  pool: pg.Pool,
  workspaceId: string,
  filter: LeadFilter,
  order: LeadOrder,
  limit: number,
  msMax = 0,
) {
  const ids: string[] = [];
  for (let after: LeadPlace | null = null, pages = 0; ; pages++) {
    expect(pages, 'the list ends').toBeLessThan(300);
    const request: LeadPageRequest = { after, limit: limit + 1, bytesMax: 1_048_576 };
    const deps = { pool, clock: systemClock, sortedLeadsMax: 5 };
    const found = await searchLeads(deps, workspaceId, { filter, order }, request, msMax, listedLeads);
    const some = found.leads.slice(0, limit);
    ids.push(...some.map(({ submissionId }) => submissionId));
    const last = some.at(-1);
    if (found.leads.length > limit && last !== undefined)
      after = { at: last.receivedAt, id: last.submissionId, value: last.sortValue };
    else if (found.reached !== null) after = found.reached;
    else return { ids, preparing: found.preparing };
  }
}
