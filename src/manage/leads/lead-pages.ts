import type { Preparing } from '../../contract/leads/list-options.ts';
import type { LeadPlace } from '../../db/leads/lead-order.ts';
import { type LeadRecord, wholeLeads } from '../../db/leads/lead-rows.ts';
import { pageBytesMax } from '../calls/page.ts';
import { Problem } from '../calls/problem.ts';
import type { LeadQuery } from './lead-query.ts';
import { type LeadPageRequest, type SearchDeps, searchLeads } from './lead-search.ts';

const leadsPerPage = 250;

const retrySeconds = '60';

/** All leads that match, or the first `leadsMax` of them, a page at a time. Throws rather than leave out some. */
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
    const { leads, isCut, preparing } = await searchLeads(
      deps,
      workspaceId,
      query,
      request,
      Number.POSITIVE_INFINITY,
      wholeLeads,
    );
    if (preparing !== null) throw notSorted(preparing);
    if (leads.length > 0) yield leads;
    const last = leads.at(-1);
    if (last === undefined || (leads.length < limit && !isCut)) return;
    after = { at: last.receivedAt, id: last.submissionId, value: last.sortValue };
    left -= leads.length;
  }
}

function notSorted({ done, total }: NonNullable<Preparing>): Problem {
  return new Problem(
    'not_sorted',
    `${done} of about ${total} leads are prepared. Try again in a few minutes, set \`to\` to an earlier time, or leave out \`sort\`.`,
    { headers: { 'retry-after': retrySeconds } },
  );
}
