import type { StorableLead } from '../db/ingest-commit.ts';
import { firstGeneration, type SubmissionIds } from '../domain/submission-id.ts';
import type { Committer } from './committer.ts';
import type { Answered } from './respond.ts';
import type { Scored } from './submission.ts';

export interface CommitDeps {
  readonly committer: Committer;
  readonly ids: SubmissionIds;
}

/** The id is made before the first try to write, so that no number of tries can store a lead twice. */
export function commit(
  scored: Scored,
  { committer, ids }: CommitDeps,
  onCommitted: (answered: Answered) => void,
): void {
  const { sender, key } = scored.parsed.keyed;
  const id = key === null ? ids.unkeyed() : ids.keyed(sender.workspace.idBytes, key.hash, firstGeneration);
  committer.submit(storable(scored, id), (outcome) => {
    if (outcome.kind !== 'stored') scored.judgement.forget();
    onCommitted({ sender, outcome });
  });
}

function storable({ parsed, judgement }: Scored, submissionId: string): StorableLead {
  const { keyed, lead } = parsed;
  const { received, workspace, form, token } = keyed.sender;
  return {
    shard: workspace.shard,
    workspaceId: workspace.idBytes,
    formId: form.idBytes,
    tokenId: token?.idBytes ?? null,
    surface: received.arrival.surface,
    submissionId,
    receivedAt: received.arrival.at,
    body: received.body,
    projection: lead.projection,
    get score() {
      return judgement.score;
    },
    key: keyed.key,
  };
}
