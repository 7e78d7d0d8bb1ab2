import type { LeadPlace } from '../../db/leads/lead-order.ts';
import { type LeadRecord, wholeLeads } from '../../db/leads/lead-rows.ts';
import { pageBytesMax } from '../calls/page.ts';
import type { LeadQuery } from './lead-query.ts';
import { type LeadPageRequest, type SearchDeps, searchLeads } from './lead-search.ts';

const leadsPerPage = 250;

/** All leads that match, or the first `leadsMax` of them, a page at a time. */
export async function* leadPages(
  deps: SearchDeps,
  workspaceId: string,
  query: LeadQuery,
  leadsMax = Number.POSITIVE_INFINITY,
): AsyncGenerator<LeadRecord[]> {
  let after: LeadPlace | null = null;
  for (let left = leadsMax; left > 0; ) {
    const limit = Math.min(left, leadsPerPage);
    const request: LeadPageRequest = { after, limit, bytesMax: pageBytesMax };
    const { leads, isCut } = await searchLeads(
      deps,
      workspaceId,
      query,
      request,
      Number.POSITIVE_INFINITY,
      wholeLeads,
    );
    if (leads.length > 0) yield leads;
    const last = leads.at(-1);
    if (last === undefined || (leads.length < limit && !isCut)) return;
    after = { at: last.receivedAt, id: last.submissionId, value: last.sortValue };
    left -= leads.length;
  }
}
