import * as contract from '../../contract/leads.ts';
import { listMarks, type MarkRecord } from '../../db/leads/lead-marks.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { findLead } from '../../db/leads/leads.ts';
import { inTransaction } from '../../db/pool.ts';
import { hasScope } from '../api-keys/authentication.ts';
import { nameOf } from '../calls/access.ts';
import { pageOfNumbered } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
import { markLeads } from './actions/mark-leads.ts';
import { writeLead } from './leads.ts';

export const leadMarkRoutes = [
  route(contract.markLead, async ({ params, body, principal }, deps) => {
    const markedAt = new Date(deps.clock.now());
    const wanted = { mark: body.mark, markedAt, markedBy: nameOf(principal) };
    const lead = await markLead(deps, params.workspace_id, params.submission_id, wanted);
    deps.learning.wake();
    return writeLead(hasScope(principal, 'leads:read') ? lead : withoutContent(lead));
  }),
  route(contract.listLeadMarks, async ({ params: { workspace_id, submission_id }, query }, { pool }) => {
    if ((await findLead(pool, workspace_id, submission_id)) === null) missing();
    return pageOfNumbered(query, {
      fetch: ({ after, limit }) => listMarks(pool, workspace_id, submission_id, { before: after, limit }),
      position: ({ number }) => number,
      view: ({ mark, markedAt, markedBy }) => ({ mark, at: markedAt.toISOString(), by: markedBy }),
    });
  }),
];

async function markLead(
  { pool }: ManagementDeps,
  workspaceId: string,
  submissionId: string,
  { mark, markedAt: at, markedBy: by }: MarkRecord,
): Promise<LeadRecord> {
  return inTransaction(pool, async (client) => {
    await markLeads(client, workspaceId, [submissionId], { markOf: () => mark, at, by, actionId: null });
    return (await findLead(client, workspaceId, submissionId)) ?? missing();
  });
}

/** A key that may only mark leads must not read them by marking them. */
function withoutContent(lead: LeadRecord): LeadRecord {
  return { ...lead, fieldsText: '{}', reasons: [], enrichment: null, mistypedEmail: null };
}

function missing(): never {
  throw notFound('lead');
}
