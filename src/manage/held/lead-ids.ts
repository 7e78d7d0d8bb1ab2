import { binaryUuid } from '../../db/binary.ts';
import { keyOf } from '../../db/held/decisions/admitted-leads.ts';
import type { SealedRow } from '../../db/held/decisions/held-rows.ts';
import { formFormatOf } from '../../domain/browser/form-format.ts';
import type { RecordedRequest } from '../../domain/held/held-request.ts';
import { firstGeneration, generationAt } from '../../domain/lead/submission-id.ts';
import { parseSignature, parseTimestamp } from '../../domain/signature.ts';
import type { ManagementDeps } from '../deps.ts';

type LeadIds = ManagementDeps['submissionIds'];

/**
 * The ids of the lead that a held request becomes, the preferred one first. With an idempotency key or a signature it is the id
 * that a retry of the sender gets, even one that is accepted while PostgreSQL is down and stored after the admission: both
 * are the same lead. The second is for a key that was used before and has expired; a token of a web page is used once for good.
 */
export function leadIds(ids: LeadIds, row: SealedRow, request: RecordedRequest): string[] {
  const keyHash = keyOf(row);
  if (keyHash !== null) {
    const later = isByPageToken(row, request) ? [] : [generationAt(row.receivedAt.getTime())];
    const generations = [firstGeneration, ...later];
    return generations.map((generation) => ids.keyed(binaryUuid(row.workspaceId), keyHash, generation));
  }
  return [signedId(ids, row, request) ?? ids.held(row.workspaceId, row.id)];
}

/** Only a form without script has another format than JSON. */
function isByPageToken({ surface }: SealedRow, { contentType }: RecordedRequest): boolean {
  return surface === 'browser' && formFormatOf(contentType ?? '') === null;
}

function signedId(
  ids: LeadIds,
  { surface, formId }: SealedRow,
  { timestamp, signature }: RecordedRequest,
): string | null {
  if (surface !== 'webhook' || typeof timestamp !== 'string' || typeof signature !== 'string') return null;
  const seconds = parseTimestamp(timestamp);
  const digest = parseSignature(signature);
  return seconds === null || digest === null ? null : ids.signed(binaryUuid(formId), seconds, digest);
}
