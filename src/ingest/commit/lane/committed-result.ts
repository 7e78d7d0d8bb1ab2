import type { CommitException, Misplacement } from '../../../db/ingest/ingest-commit.ts';
import type { CommitResult } from '../commit-result.ts';
import { isSameBody } from '../duplicates/duplicate-names.ts';
import type { UnscoredLead } from '../submission.ts';

/** What a lane knows after a commit. `again`: the lead goes into the next batch. */
export type CommittedResult = CommitResult | 'again' | Misplacement;

export function resultOf(lead: UnscoredLead, exception: CommitException | undefined): CommittedResult {
  if (exception === undefined) return { kind: 'stored', submissionId: lead.submissionId };
  const { outcome, submissionId, sameBody } = exception;
  if (outcome === 'again' || outcome === 'taken') return 'again';
  if (outcome === 'moved' || outcome === 'closed') return outcome;
  if (outcome === 'rate_limited_minute' || outcome === 'rate_limited_day')
    return { kind: 'rate_limited', reason: outcome };
  return { kind: 'duplicate', submissionId: submissionId as string, isSameBody: sameBody === true };
}

export function duplicateOf(
  leader: UnscoredLead,
  follower: UnscoredLead,
  submissionId: string,
): CommitResult {
  return { kind: 'duplicate', submissionId, isSameBody: isSameBody(leader, follower) };
}
