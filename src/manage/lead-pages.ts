import type pg from 'pg';
import type { Position } from '../db/keyset.ts';
import type { LeadFilter } from '../db/lead-filter.ts';
import { type LeadRecord, listLeads } from '../db/leads.ts';

// A lead can take 128 KB: this many at a time stay far below the memory an instance may use.
const leadsPerPage = 250;

/** All leads that match, or the newest `leadsMax` of them, a page at a time and the newest first. */
export async function* leadPages(
  pool: pg.Pool,
  workspaceId: string,
  filter: LeadFilter,
  leadsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<LeadRecord[]> {
  let after: Position | null = null;
  for (let left = leadsMax; left > 0; ) {
    const limit = Math.min(left, leadsPerPage);
    const leads: LeadRecord[] = await listLeads(pool, workspaceId, filter, { after, limit });
    if (leads.length > 0) yield leads;
    const last = leads.at(-1);
    if (last === undefined || leads.length < limit) return;
    after = { at: last.receivedAt, id: last.submissionId };
    left -= leads.length;
  }
}
