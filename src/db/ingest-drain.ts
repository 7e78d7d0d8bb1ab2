import type pg from 'pg';
import { keyLifetimeMs } from '../domain/idempotency.ts';
import { binaryUuid, byteaArray, uuidArray } from './binary.ts';
import { confirmedQuery } from './durability.ts';
import { claimedSignatures, leadColumns, type StorableLead } from './ingest-commit.ts';

/** A lead out of a spool. */
export interface SpooledLead extends StorableLead {
  /** The id to use when the key was used anew after its lifetime; null without a key. */
  readonly nextSubmissionId: string | null;
}

/** A lead that was not simply stored; see migrations/0018_repeats_and_standbys.sql. */
export interface DrainException {
  readonly place: number;
  readonly outcome: 'known' | 'other_body';
}

const parameterCount = 20;
// A server that hangs must not hang the drain: the same leads are sent again.
const answerTimeoutMs = 5_000;
const statement = {
  name: 'ingest_drain',
  text: `select place, outcome from ingest_drain(${Array.from(
    { length: parameterCount },
    (_, index) => `$${index + 1}`,
  ).join(', ')})`,
};

export async function ingestDrain(pool: pg.Pool, leads: readonly SpooledLead[]): Promise<DrainException[]> {
  const { rows } = await confirmedQuery(pool, {
    ...statement,
    query_timeout: answerTimeoutMs,
    values: [
      `${keyLifetimeMs} milliseconds`,
      ...leadColumns(leads),
      byteaArray(leads.map(({ key }) => key?.hash ?? null)),
      byteaArray(leads.map(({ key }) => key?.bodyHash ?? null)),
      uuidArray(
        leads.map(({ nextSubmissionId }) =>
          nextSubmissionId === null ? null : binaryUuid(nextSubmissionId),
        ),
      ),
      claimedSignatures(leads),
    ],
  });
  return rows.map(({ place, outcome }) => ({ place: place - 1, outcome }));
}
