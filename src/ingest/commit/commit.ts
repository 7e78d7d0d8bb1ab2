import type { StorableLead, StorableSignature } from '../../db/ingest/ingest-commit.ts';
import { firstGeneration, type SubmissionIds } from '../../domain/lead/submission-id.ts';
import type { Answered } from '../respond.ts';
import type { Authenticated, Keyed, Scored } from '../submission.ts';
import type { Committer } from './committer.ts';
import type { SignatureMemory } from './signature-memory.ts';

export interface CommitDeps {
  readonly committer: Committer;
  readonly ids: SubmissionIds;
  readonly signatures: SignatureMemory;
}

/** The id is made before the first try to write, so that no number of tries can store a lead twice. */
export function commit(scored: Scored, deps: CommitDeps, onCommitted: (answered: Answered) => void): void {
  const { sender, key } = scored.parsed.keyed;
  const { committer, ids, signatures } = deps;
  const signed = storableSignature(scored.parsed.keyed, deps);
  const id =
    key === null
      ? (signed?.id ?? ids.unkeyed())
      : ids.keyed(sender.workspace.idBytes, key.hash, firstGeneration);
  committer.submit(storable(scored, id, signed), (outcome) => {
    if (outcome.kind !== 'stored') scored.judgement.forget();
    const isSignatureRepeated = outcome.kind === 'stored' && isRepeated(sender, signatures);
    onCommitted({ sender, outcome, isSignatureRepeated });
  });
}

/** Null where the same signed request may make another lead: the owner of the form decides. */
function storableSignature(
  { sender, key }: Keyed,
  { ids, signatures }: CommitDeps,
): StorableSignature | null {
  const { signature, form, received } = sender;
  if (signature === null || form.replayProtection === 'off') return null;
  const isSuspect = signatures.see(form, signature, received.arrival.at);
  const isClaimed = form.replayProtection === 'all';
  if (key !== null && !isClaimed) return null;
  const id = ids.signed(form.idBytes, signature.timestampSeconds, signature.digest);
  return { id, isClaimed, isSuspect };
}

function isRepeated({ form, signature }: Authenticated, signatures: SignatureMemory): boolean {
  return signature !== null && form.replayProtection !== 'off' && signatures.stored(form, signature);
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
