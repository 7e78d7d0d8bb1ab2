import type { StorableKey } from '../../db/ingest/ingest-commit.ts';
import type { SubmissionIds } from '../../domain/lead/submission-id.ts';
import type { Authenticated } from '../authenticate.ts';

/** The id that follows from what was signed; null if the same signed request, under this key, is another lead. */
export function signedIdOf(
  { form, signature }: Authenticated,
  key: StorableKey | null,
  ids: SubmissionIds,
): string | null {
  if (signature === null || form.replayProtection === 'off') return null;
  if (key !== null && form.replayProtection !== 'all') return null;
  return ids.signed(form.idBytes, signature.timestampSeconds, signature.digest);
}
