import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { findLivingKey } from '../db/idempotency-keys.ts';
import type { Outcome } from './respond.ts';
import type { KeyedBodyRejection } from './submission.ts';

/** Asks for the key that a body which cannot be stored came with: its sender may have got a 202 for it before. */
export async function replayOr(
  rejection: KeyedBodyRejection,
  { pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock },
): Promise<Outcome> {
  const { sender, key } = rejection;
  const known = await findLivingKey(pool, sender.workspace.id, key.hash, clock.now());
  if (known === null) return rejection;
  const isSameBody = known.bodyHash.equals(key.bodyHash);
  return { sender, outcome: { kind: 'replayed', submissionId: known.submissionId, isSameBody } };
}
