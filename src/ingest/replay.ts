import type pg from 'pg';
import type { Clock } from '../clock.ts';
import { findLivingKey } from '../db/idempotency-keys.ts';
import type { Answered } from './respond.ts';
import type { Keyed } from './submission.ts';

/** Asks for a key that a body which cannot be stored came with: the sender may have got a 202 for it before. */
export async function findReplay(
  { sender, key }: Keyed,
  { pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock },
): Promise<Answered | null> {
  if (key === null) return null;
  const known = await findLivingKey(pool, sender.workspace.id, key.hash, clock.now());
  if (known === null) return null;
  const isSameBody = known.bodyHash.equals(key.bodyHash);
  return { sender, outcome: { kind: 'replayed', submissionId: known.submissionId, isSameBody } };
}
