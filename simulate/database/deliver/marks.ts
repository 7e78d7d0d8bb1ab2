import { type Mark, verdictUnder } from '../../../src/domain/lead/mark.ts';
import type { Tables } from '../tables.ts';
import type { LeadRow } from '../workspace-rows.ts';
import { leadOf } from './deliver-model.ts';
import { leadName } from './deliver-rows.ts';

/** markLead of src/manage/leads/lead-mark.ts. False when there is no such lead. */
export function markLead(
  tables: Tables,
  { workspaceId, submissionId }: Pick<LeadRow, 'workspaceId' | 'submissionId'>,
  mark: Mark | null,
  now: number,
): boolean {
  const lead = leadOf(tables, workspaceId, submissionId);
  if (lead === null) return false;
  if (mark === markOf(lead)) return true;
  const before = lead.score.verdict;
  const scored = lead.scored ?? before;
  const verdict = verdictUnder(mark, scored);
  const rows = tables.workspaces().find(({ id }) => id === workspaceId);
  const score = { ...lead.score, verdict };
  rows?.leads.set(submissionId, { ...lead, score, scored: mark === null ? null : scored });
  tables.noteOne(workspaceId, submissionId, 'lead.marked', now, { mark });
  if (before !== 'clean' && verdict === 'clean')
    tables.noteOne(workspaceId, submissionId, 'lead.released', now);
  return true;
}

function markOf({ scored, score }: LeadRow): Mark | null {
  if (scored === undefined || scored === null) return null;
  return score.verdict === 'spam' ? 'spam' : 'not_spam';
}

/** Once no provider has yet to respond for a lead. */
export function enrichLead(
  tables: Tables,
  { workspaceId, submissionId }: Pick<LeadRow, 'workspaceId' | 'submissionId'>,
  now: number,
): boolean {
  if (leadOf(tables, workspaceId, submissionId) === null) return false;
  tables.deliver.enriched.add(leadName(workspaceId, submissionId));
  tables.noteOne(workspaceId, submissionId, 'lead.enriched', now);
  return true;
}
