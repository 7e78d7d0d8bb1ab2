import { randomUUIDv7 } from 'node:crypto';
import type { StorableLead } from '../db/ingest-commit.ts';
import type { CommitOutcome, GroupCommit } from './group-commit.ts';
import type { Scored } from './submission.ts';

/** The id is made before the first try to write, so that no number of tries can store a lead twice. */
export function commit(scored: Scored, groupCommit: GroupCommit): Promise<CommitOutcome> {
  return groupCommit.submit(storable(scored, randomUUIDv7()));
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
