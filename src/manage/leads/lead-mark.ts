import * as contract from '../../contract/leads.ts';
import { noteLearningDue } from '../../db/forms/form-learning.ts';
import { insertMark, listMarks, type MarkRecord } from '../../db/leads/lead-marks.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { findLead, lockLead, updateVerdict } from '../../db/leads/leads.ts';
import { inTransaction } from '../../db/pool.ts';
import { type NewNote, noteLead } from '../../db/relay/outbox.ts';
import { verdictUnder } from '../../domain/lead/mark.ts';
import { hasScope } from '../api-keys/authentication.ts';
import { nameOf } from '../calls/access.ts';
import { pageOfNumbered } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';
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
  wanted: MarkRecord,
): Promise<LeadRecord> {
  return inTransaction(pool, async (client) => {
    const read = async () => (await findLead(client, workspaceId, submissionId)) ?? missing();
    if (!(await lockLead(client, workspaceId, submissionId))) missing();
    const before = await read();
    if (before.mark === wanted.mark) return before;

    const scored = before.scoredVerdict ?? before.verdict;
    const verdict = verdictUnder(wanted.mark, scored);
    await insertMark(client, workspaceId, submissionId, wanted);
    await updateVerdict(client, workspaceId, submissionId, {
      verdict,
      scored: wanted.mark === null ? null : scored,
    });
    // A lead that becomes clean may have been skipped on arrival, or abandoned half-way. One whose mark is removed
    // may have missed a second look. No provider is asked twice.
    const isReleased = before.verdict !== 'clean' && verdict === 'clean';
    const isOpenAgain = wanted.mark === null && verdict === 'clean';
    const note = (note: NewNote) => noteLead(client, workspaceId, submissionId, note);
    await note({ type: 'lead.marked', at: wanted.markedAt, data: { mark: wanted.mark } });
    if (isReleased) await note({ type: 'lead.released', at: wanted.markedAt });
    else if (isOpenAgain) await note({ type: 'enrich' });
    await noteLearningDue(client, workspaceId, before.formId, wanted.markedAt);
    return read();
  });
}

/** A key that may only mark leads must not read them by marking them. */
function withoutContent(lead: LeadRecord): LeadRecord {
  return { ...lead, fieldsText: '{}', reasons: [], enrichment: null, mistypedEmail: null };
}

function missing(): never {
  throw notFound('lead');
}
