import { randomUUIDv7 } from 'node:crypto';
import type { StorableLead } from '../db/ingest-commit.ts';
import type { GroupCommit } from './group-commit.ts';
import type { Answered } from './respond.ts';
import type { Scored } from './submission.ts';

/** The id is made before the first try to write, so that no number of tries can store a lead twice. */
export function commit(
  scored: Scored,
  groupCommit: GroupCommit,
  onCommitted: (answered: Answered) => void,
): void {
  const { sender } = scored.parsed.keyed;
  groupCommit.submit(storable(scored, randomUUIDv7()), (outcome) => {
    // A sender that has to try again must not look like a flood.
    if (outcome.kind !== 'stored') scored.sightings?.forget();
    onCommitted({ sender, outcome });
  });
}

function storable({ parsed, score }: Scored, submissionId: string): StorableLead {
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
    score,
    key: keyed.key,
  };
}
