import type pg from 'pg';
import { keyLifetimeMs } from '../../domain/lead/idempotency.ts';
import { binaryUuid, byteaArray, uuidArray } from '../binary.ts';
import { confirmedQuery } from '../durability.ts';
import {
  type BucketEnds,
  claimedSignatures,
  encodedColumns,
  hereOnly,
  type Misplacement,
  placeholders,
  type StorableLead,
} from './ingest-commit.ts';

/** A lead from the spool. */
export interface SpooledLead extends StorableLead {
  /** The id to use if the key had expired and was used again; null without a key. */
  readonly nextSubmissionId: string | null;
}

/** A lead that was not simply stored; see migrations/0032_every_lead_is_noted.sql and 0022_quarantine_and_erasures.sql. */
export interface DrainException {
  readonly place: number;
  readonly outcome: 'known' | 'other_body' | 'erased' | Misplacement;
}

const parameterCount = 20;
// So that a hanging server does not block the drain; the same leads are sent again later.
const answerTimeoutMs = 5_000;
const statement = drainStatement('store_spooled', parameterCount);
const statementOnNode = drainStatement('store_spooled_on_node', parameterCount + 3);
const statementHere = hereOnly(statementOnNode);

function drainStatement(name: string, parameters: number) {
  const text = `select place, outcome from ${name}(${placeholders(parameters)})`;
  return { name, text, query_timeout: answerTimeoutMs };
}

export async function ingestDrain(
  pool: pg.Pool,
  leads: readonly SpooledLead[],
  lifetimeMs = keyLifetimeMs,
): Promise<DrainException[]> {
  const { rows } = await confirmedQuery<DrainException>(pool, {
    ...statement,
    values: parameters(leads, lifetimeMs),
  });
  return rows.map(exceptionOf);
}

/** The same on a node of a cluster. */
export async function ingestDrainOnNode(
  pool: pg.Pool,
  leads: readonly SpooledLead[],
  { isDelegated, shard, buckets, ends }: BucketEnds,
): Promise<DrainException[]> {
  const { rows } = await confirmedQuery<DrainException>(pool, {
    ...(isDelegated ? statementOnNode : statementHere),
    values: [shard, buckets, ends, ...parameters(leads, keyLifetimeMs)],
  });
  return rows.map(exceptionOf);
}

/** The same, as part of a transaction. */
export async function ingestDrainWithin(
  client: pg.PoolClient,
  leads: readonly SpooledLead[],
): Promise<DrainException[]> {
  const { rows } = await client.query<DrainException>({
    ...statement,
    values: parameters(leads, keyLifetimeMs),
  });
  return rows.map(exceptionOf);
}

function exceptionOf({ place, outcome }: DrainException): DrainException {
  return { place: place - 1, outcome };
}

function parameters(leads: readonly SpooledLead[], lifetimeMs: number): unknown[] {
  return [
    `${lifetimeMs} milliseconds`,
    ...encodedColumns(leads),
    byteaArray(leads.map(({ key }) => key?.hash ?? null)),
    byteaArray(leads.map(({ key }) => key?.bodyHash ?? null)),
    uuidArray(
      leads.map(({ nextSubmissionId }) => (nextSubmissionId === null ? null : binaryUuid(nextSubmissionId))),
    ),
    claimedSignatures(leads),
  ];
}
