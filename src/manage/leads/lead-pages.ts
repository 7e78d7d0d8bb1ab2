import type { LargePageRequest, Position } from '../../db/keyset.ts';
import type { LeadFilter } from '../../db/leads/lead-filter.ts';
import { type LeadRecord, wholeLeads } from '../../db/leads/lead-rows.ts';
import { pageBytesMax } from '../calls/page.ts';
import { type SearchDeps, searchLeads } from './lead-search.ts';

const leadsPerPage = 250;

/** All leads that match, or the newest `leadsMax` of them, newest first, a page at a time. */
export async function* leadPages(
  deps: SearchDeps,
  workspaceId: string,
  filter: LeadFilter,
  leadsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<LeadRecord[]> {
  let after: Position | null = null;
  for (let left = leadsMax; left > 0; ) {
    const limit = Math.min(left, leadsPerPage);
    const request: LargePageRequest = { after, limit, bytesMax: pageBytesMax };
    const { leads, isCut } = await searchLeads(
      deps,
      workspaceId,
      filter,
      request,
      Number.POSITIVE_INFINITY,
      wholeLeads,
    );
    if (leads.length > 0) yield leads;
    const last = leads.at(-1);
    if (last === undefined || (leads.length < limit && !isCut)) return;
    after = { at: last.receivedAt, id: last.submissionId };
    left -= leads.length;
  }
}
