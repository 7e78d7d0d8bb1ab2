import type { StorableKey, StorableLead, StorableSignature } from '../../../db/ingest/ingest-commit.ts';

/** What identifies duplicates of a lead. */
export interface Named {
  readonly workspaceId: Buffer;
  readonly key: StorableKey | null;
  readonly signed: Pick<StorableSignature, 'id'> | null;
}

/** Workspace and idempotency key in one string, for maps; null without a key. */
export function keyName({ workspaceId, key }: Pick<Named, 'workspaceId' | 'key'>): string | null {
  return key === null ? null : workspaceId.toString('latin1') + key.hash.toString('latin1');
}

/** The same for workspace and signature; null when the signature may be used again. */
function signedName({ workspaceId, signed }: Pick<Named, 'workspaceId' | 'signed'>): string | null {
  return signed === null ? null : workspaceId.toString('latin1') + signed.id;
}

/** The names that identify duplicates of this lead. */
export function duplicateNames(lead: Named): string[] {
  return [keyName(lead), signedName(lead)].filter((name) => name !== null);
}

/** True when a duplicate has the body of its original: a signature covers the body, a key does not. */
export function isSameBody(original: DuplicateMarks, duplicate: DuplicateMarks): boolean {
  if (original.signed !== null && original.signed.id === duplicate.signed?.id) return true;
  return (
    original.key !== null && duplicate.key !== null && original.key.bodyHash.equals(duplicate.key.bodyHash)
  );
}

type DuplicateMarks = Pick<Named, 'key' | 'signed'>;

/** What is remembered of a lead to recognise its duplicates. Plain values, because it may go to another process. */
export interface LeadMarks {
  readonly submissionId: string;
  readonly receivedAt: number;
  /** Of the body that its key was used with; null without a key. */
  readonly bodyHash: string | null;
  readonly signedId: string | null;
}

export function marksOf(
  lead: Pick<StorableLead, 'submissionId' | 'receivedAt' | 'key' | 'signed'>,
): LeadMarks {
  const { submissionId, receivedAt, key, signed } = lead;
  const bodyHash = key === null ? null : key.bodyHash.toString('latin1');
  return { submissionId, receivedAt, bodyHash, signedId: signed?.id ?? null };
}

/** Like `isSameBody`, for an original of which only the marks are known. */
export function hasBodyOf(original: LeadMarks, { key, signed }: DuplicateMarks): boolean {
  if (original.signedId !== null && original.signedId === signed?.id) return true;
  return original.bodyHash !== null && original.bodyHash === key?.bodyHash.toString('latin1');
}
