import type { StorableLead } from '../db/ingest-commit.ts';

/** Workspace and idempotency key in one string, for maps; null without a key. */
export function keyName({ workspaceId, key }: Pick<StorableLead, 'workspaceId' | 'key'>): string | null {
  return key === null ? null : workspaceId.toString('latin1') + key.hash.toString('latin1');
}
