import type { StorableLead, StorableSignature } from '../db/ingest-commit.ts';
import { firstGeneration, type SubmissionIds } from '../domain/submission-id.ts';
import type { Committer } from './committer.ts';
import type { Answered } from './respond.ts';
import type { Keyed, Scored } from './submission.ts';

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
  const signed = storableSignature(scored.parsed.keyed, ids);
  const id =
    key === null
      ? (signed?.id ?? ids.unkeyed())
      : ids.keyed(sender.workspace.idBytes, key.hash, firstGeneration);
  committer.submit(storable(scored, id, signed), (outcome) => {
    if (outcome.kind !== 'stored') scored.judgement.forget();
    onCommitted({ sender, outcome });
  });
}

/** Null where the same signed request may make another lead: the owner of the form decides. */
function storableSignature({ sender, key }: Keyed, ids: SubmissionIds): StorableSignature | null {
  const { signature, form } = sender;
  const isClaimed = form.replayProtection === 'all';
  if (signature === null || form.replayProtection === 'off' || (key !== null && !isClaimed)) return null;
  return { id: ids.signed(form.idBytes, signature.timestampSeconds, signature.digest), isClaimed };
}

function storable(
  { parsed, judgement }: Scored,
  submissionId: string,
  signed: StorableSignature | null,
): StorableLead {
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
    signed,
  };
}
