import type { StorableLead } from '../../db/ingest/ingest-commit.ts';

/** Workspace and idempotency key in one string, for maps; null without a key. */
export function keyName({ workspaceId, key }: Pick<StorableLead, 'workspaceId' | 'key'>): string | null {
  return key === null ? null : workspaceId.toString('latin1') + key.hash.toString('latin1');
}

/** The same for workspace and signature; null when the signature may be used again. */
function signedName({ workspaceId, signed }: Pick<StorableLead, 'workspaceId' | 'signed'>): string | null {
  return signed === null ? null : workspaceId.toString('latin1') + signed.id;
}

/** The names that identify duplicates of this lead. */
export function duplicateNames(lead: Pick<StorableLead, 'workspaceId' | 'key' | 'signed'>): string[] {
  return [keyName(lead), signedName(lead)].filter((name) => name !== null);
}

/** True when a duplicate has the body of its original: a signature covers the body, a key does not. */
export function isSameBody(original: DuplicateMarks, duplicate: DuplicateMarks): boolean {
  if (original.signed !== null && original.signed.id === duplicate.signed?.id) return true;
  return (
    original.key !== null && duplicate.key !== null && original.key.bodyHash.equals(duplicate.key.bodyHash)
  );
}

type DuplicateMarks = Pick<StorableLead, 'key' | 'signed'>;
