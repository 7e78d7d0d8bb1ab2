import type pg from 'pg';
import { noteLearningDue } from '../../../db/forms/form-learning.ts';
import {
  lockMarkable,
  type MarkableLead,
  type NewMark,
  storeMarks,
} from '../../../db/leads/actions/marked-many.ts';
import { noteLeads } from '../../../db/relay/outbox.ts';
import { type Mark, verdictUnder } from '../../../domain/lead/mark.ts';
import { shardOf } from '../../../domain/workspace.ts';

export interface Marking {
  /** Undefined to leave the lead as it is. */
  readonly markOf: (lead: MarkableLead) => Mark | null | undefined;
  readonly at: Date;
  readonly by: string;
  /** The action that sets the marks; null for a single mark. */
  readonly actionId: string | null;
}

/**
 * Marks leads with everything that follows from it, in the caller's transaction. Returns how many now have a mark of this action:
 * what it had set before counts too. A lead that does not exist, or has the mark already, is left as it is.
 */
export async function markLeads(
  client: pg.PoolClient,
  workspaceId: string,
  submissionIds: readonly string[],
  { markOf, at, by, actionId }: Marking,
): Promise<number> {
  const leads = await lockMarkable(client, workspaceId, submissionIds);
  const isOwn = ({ newest }: MarkableLead) => actionId !== null && newest?.actionId === actionId;
  const changed = leads.flatMap((lead) => {
    const mark = isOwn(lead) ? undefined : markOf(lead);
    return mark === undefined || mark === presentMark(lead) ? [] : [{ lead, mark }];
  });
  const marks = changed.map(({ lead, mark }): NewMark => {
    const { submissionId, newest, verdict, scoredVerdict } = lead;
    const scored = scoredVerdict ?? verdict;
    return {
      submissionId,
      number: (newest?.number ?? 0) + 1,
      mark,
      markedAt: at,
      markedBy: by,
      actionId,
      verdict: verdictUnder(mark, scored),
      scored: mark === null ? null : scored,
    };
  });
  if (marks.length > 0) {
    await storeMarks(client, workspaceId, marks);
    await noteMarks(client, workspaceId, marks, new Map(leads.map((lead) => [lead.submissionId, lead])));
    for (const formId of new Set(changed.map(({ lead }) => lead.formId)))
      await noteLearningDue(client, workspaceId, formId, at);
  }
  return marks.length + leads.filter(isOwn).length;
}

/** The mark in effect. */
function presentMark({ scoredVerdict, newest }: MarkableLead): Mark | null {
  return scoredVerdict === null ? null : (newest?.mark ?? null);
}

async function noteMarks(
  client: pg.PoolClient,
  workspaceId: string,
  marks: readonly NewMark[],
  before: ReadonlyMap<string, MarkableLead>,
): Promise<void> {
  const shard = shardOf(workspaceId);
  const refs = (some: readonly NewMark[]) =>
    some.map(({ submissionId }) => ({ shard, workspaceId, submissionId }));
  const at = marks[0]?.markedAt ?? null;
  for (const [mark, same] of Map.groupBy(marks, (one) => one.mark))
    await noteLeads(client, refs(same), { type: 'lead.marked', at, data: { mark } });
  // A lead that becomes clean may have been skipped on arrival, or abandoned half-way. One whose mark is removed
  // may have missed a second look. No provider is asked twice.
  const clean = marks.filter(({ verdict }) => verdict === 'clean');
  const wasClean = ({ submissionId }: NewMark) => before.get(submissionId)?.verdict === 'clean';
  await noteLeads(client, refs(clean.filter((one) => !wasClean(one))), { type: 'lead.released', at });
  const isOpenAgain = clean.filter((one) => wasClean(one) && one.mark === null);
  await noteLeads(client, refs(isOpenAgain), { type: 'enrich' });
}
