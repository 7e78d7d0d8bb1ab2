import { listWebhookSecrets } from '../../db/forms/webhook-secrets.ts';
import {
  countVerified,
  listUnproven,
  markProven,
  type ProvenRequest,
  type UnprovenRow,
} from '../../db/held/re-verification.ts';
import type { RecordedRequest } from '../../domain/held/held-request.ts';
import { parseLead } from '../../domain/lead/lead.ts';
import { parseSignature, parseTimestamp, sign, signaturesEqual } from '../../domain/signature.ts';
import { secondMs } from '../../time/clock.ts';
import { Turns } from '../../time/turns.ts';
import type { ManagementDeps } from '../deps.ts';
import { openHeld } from './open-held.ts';

type VerifyDeps = Pick<ManagementDeps, 'pool' | 'clock' | 'secretBox'>;

const rowsPerPage = 20;

/**
 * Checks the signatures of held requests to a form with the secrets that it has now. Those that are right count as proven from
 * then on. Returns how many of them are held.
 */
export async function verifyHeld(deps: VerifyDeps, workspaceId: string, formId: string): Promise<number> {
  const { pool, clock } = deps;
  const now = new Date(clock.now());
  const secrets = await validSecrets(deps, workspaceId, formId, now);
  const turns = new Turns(clock);
  for (let afterId: string | null = null; secrets.length > 0; ) {
    const rows: UnprovenRow[] = await listUnproven(pool, workspaceId, formId, {
      afterId,
      now,
      limit: rowsPerPage,
    });
    const proven: ProvenRequest[] = [];
    for (const row of rows) {
      const opened = openHeld(deps.secretBox, row);
      const facts = opened === null || opened === 'unreadable' ? null : provenBy(secrets, opened);
      if (facts !== null) proven.push({ id: row.id, ...facts });
      await turns.take();
    }
    await markProven(pool, workspaceId, proven, now);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerPage) break;
    afterId = last.id;
  }
  return countVerified(pool, workspaceId, formId, now);
}

/** The current secret, and the former one while it is valid. */
export async function validSecrets(
  { pool, secretBox }: VerifyDeps,
  workspaceId: string,
  formId: string,
  now: Date,
): Promise<string[]> {
  const stored = (await listWebhookSecrets(pool, workspaceId, formId)).find((one) => one.formId === formId);
  if (stored === undefined) return [];
  const { current, previous, previousValidUntil } = stored;
  const isPreviousValid = previousValidUntil !== null && now < previousValidUntil;
  return [current, isPreviousValid ? previous : null].flatMap((sealed) => {
    try {
      return sealed === null ? [] : secretBox.open(sealed, formId);
    } catch {
      // Encrypted with a missing key: it verifies nothing, and the directory has already logged it.
      return [];
    }
  });
}

/** Null unless one of the secrets made the signature, over the timestamp and the bytes as they were sent. */
export function provenBy(
  secrets: readonly string[],
  { timestamp, signature, body }: RecordedRequest,
): Omit<ProvenRequest, 'id'> | null {
  if (typeof timestamp !== 'string' || typeof signature !== 'string' || body === null) return null;
  const seconds = parseTimestamp(timestamp);
  const received = parseSignature(signature);
  if (seconds === null || received === null) return null;
  if (!secrets.some((secret) => signaturesEqual(received, sign(secret, timestamp, body)))) return null;
  const isLead = typeof parseLead(body) !== 'string';
  return { class: isLead ? 'A' : 'C', sentAt: new Date(seconds * secondMs), bodyBytes: body.length };
}
