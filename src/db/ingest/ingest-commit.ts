import type pg from 'pg';
import { keyLifetimeMs } from '../../domain/lead/idempotency.ts';
import { type RateLimits, rateLimits } from '../../domain/rate-window.ts';
import type { Score } from '../../domain/score/score.ts';
import { packReasons } from '../../domain/score/stored-reasons.ts';
import type { Surface } from '../../domain/surface.ts';
import {
  binaryUuid,
  byteaArray,
  int2Array,
  jsonbArray,
  textArray,
  timestampArray,
  uuidArray,
  uuidTextArray,
} from '../binary.ts';
import { queryAndRelease } from './released-query.ts';

/** All that is stored of a lead. Ids that recur are in binary form, so that they are converted only once. */
export interface StorableLead {
  readonly shard: number;
  readonly workspaceId: Buffer;
  readonly formId: Buffer;
  readonly tokenId: Buffer | null;
  readonly surface: Surface;
  readonly submissionId: string;
  readonly receivedAt: number;
  readonly body: Buffer;
  /** JSON text of the cleaned fields. */
  readonly projection: Buffer;
  readonly score: Score;
  readonly key: StorableKey | null;
  /** Identifies duplicates of the same signed request; null when each request creates a lead. */
  readonly signed: StorableSignature | null;
}

export interface StorableSignature {
  /** Derived from form, timestamp and signature. It is also the id of the lead if there is no idempotency key. */
  readonly id: string;
  /** True when the signature counts once across all keys, so that the lead's id alone does not identify a duplicate. */
  readonly isClaimed: boolean;
  /** True when this instance has seen it before. */
  readonly isSuspect: boolean;
}

export interface StorableKey {
  readonly hash: Buffer;
  readonly bodyHash: Buffer;
}

/** The result for a lead that was not simply stored; see migrations/0048_fields_in_the_body.sql. */
export interface CommitException {
  readonly place: number;
  readonly outcome: 'replay' | 'rate_limited_minute' | 'rate_limited_day' | 'again' | 'taken' | Misplacement;
  readonly submissionId: string | null;
  readonly sameBody: boolean | null;
}

/**
 * Why a node of a cluster has not stored a lead. `moved`: another node has its shard now, and `nodeOf` tells which.
 * `closed`: its shard is on the way to another node and cannot be written to for a while.
 */
export type Misplacement = 'moved' | 'closed';

export function notStored(place: number, outcome: Misplacement): CommitException {
  return { place, outcome, submissionId: null, sameBody: null };
}

type ExceptionRow = [
  place: number,
  outcome: Exclude<CommitException['outcome'], Misplacement>,
  submissionId: string | null,
  sameBody: boolean | null,
];

export interface CommitOptions {
  readonly now: number;
  readonly isRetry: boolean;
  /** How long to wait for the result, if not as long as the connection does. */
  readonly timeoutMs?: number | undefined;
}

/** The rate limits per surface, and how long a key is remembered. */
export interface IngestLimits extends RateLimits {
  readonly keyLifetimeMs: number;
}

export const ingestLimits: IngestLimits = { ...rateLimits, keyLifetimeMs };

/** A batch for a node of a cluster: its leads are sorted by bucket. See migrations/0029_buckets.sql. */
export interface BucketEnds {
  /** True on a connection to the coordinator, false on one to the node itself. */
  readonly isDelegated: boolean;
  /** Of any of the leads: it tells the coordinator which node is meant. */
  readonly shard: number;
  readonly buckets: readonly number[];
  /** How many leads are in the batch up to the end of each bucket. */
  readonly ends: readonly number[];
}

const parameterCount = 24;
const statement = commitStatement('ingest_commit', parameterCount);
const statementOnNode = commitStatement('ingest_commit_on_node', parameterCount + 3);
const statementHere = hereOnly(statementOnNode);
const noReasons = Buffer.from('[]');

function commitStatement(name: string, parameters: number) {
  const text = `select place, outcome, submission_id, same_body from ${name}(${placeholders(parameters)})`;
  return { name, text, rowMode: 'array' as const };
}

/**
 * Any node delegates calls, not only the coordinator: one that has lost a bucket would pass its leads on for good, instead
 * of telling us. Citus delegates no statement with a condition, so this one has a condition that is always true.
 */
export function hereOnly<S extends { readonly name: string; readonly text: string }>(statement: S): S {
  return {
    ...statement,
    name: `${statement.name}_here`,
    text: `${statement.text} where outcome is not null`,
  };
}

export function placeholders(count: number): string {
  return Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
}

export async function ingestCommit(
  client: pg.ClientBase,
  leads: readonly StorableLead[],
  options: CommitOptions,
  limits = ingestLimits,
): Promise<CommitException[]> {
  const values = commitValues(leads, options, limits);
  const rows = await queryAndRelease<ExceptionRow>(client, statement, values, options.timeoutMs);
  return rows.map(exceptionOf);
}

/** The same on a node of a cluster. */
export async function ingestCommitOnNode(
  client: pg.ClientBase,
  leads: readonly StorableLead[],
  { isDelegated, shard, buckets, ends }: BucketEnds,
  options: CommitOptions,
): Promise<CommitException[]> {
  const values = [shard, buckets, ends, ...commitValues(leads, options, ingestLimits)];
  const sent = isDelegated ? statementOnNode : statementHere;
  const rows = await queryAndRelease<ExceptionRow>(client, sent, values, options.timeoutMs);
  return rows.map(exceptionOf);
}

/** One array per column, encoded for PostgreSQL. */
function commitValues(
  leads: readonly StorableLead[],
  { now, isRetry }: CommitOptions,
  limits: IngestLimits,
): unknown[] {
  return [
    new Date(now).toISOString(),
    isRetry,
    limits.perMinuteMax,
    limits.perDayMax,
    `${limits.keyLifetimeMs} milliseconds`,
    // The text of a body that is stored as it came is not sent twice.
    ...encodedColumns(leads, ({ body, projection }) => (projection === body ? null : projection)),
    byteaArray(leads.map(({ key }) => key?.hash ?? null)),
    byteaArray(leads.map(({ key }) => key?.bodyHash ?? null)),
    claimedSignatures(leads),
    suspects(leads),
  ];
}

function exceptionOf([place, outcome, submissionId, sameBody]: ExceptionRow): CommitException {
  return { place: place - 1, outcome, submissionId, sameBody };
}

/** Places start at 1. */
function suspects(leads: readonly StorableLead[]): number[] | null {
  const places = leads.flatMap(({ signed, key }, place) =>
    signed?.isSuspect && key === null ? place + 1 : [],
  );
  return places.length === 0 ? null : places;
}

/** Null when the batch has none, which is nearly always the case. */
export function claimedSignatures(leads: readonly StorableLead[]): Buffer | null {
  if (!leads.some(({ signed }) => signed?.isClaimed)) return null;
  return uuidArray(leads.map(({ signed }) => (signed?.isClaimed ? binaryUuid(signed.id) : null)));
}

/** One array per column of the table. */
export function encodedColumns(
  leads: readonly StorableLead[],
  fieldsOf = ({ projection }: StorableLead): Buffer | null => projection,
): Buffer[] {
  return [
    int2Array(leads.map(({ shard }) => shard)),
    uuidArray(leads.map(({ workspaceId }) => workspaceId)),
    uuidTextArray(leads.map(({ submissionId }) => submissionId)),
    uuidArray(leads.map(({ formId }) => formId)),
    uuidArray(leads.map(({ tokenId }) => tokenId)),
    textArray(leads.map(({ surface }) => surface)),
    timestampArray(leads.map(({ receivedAt }) => receivedAt)),
    byteaArray(leads.map(({ body }) => body)),
    jsonbArray(leads.map(fieldsOf)),
    int2Array(leads.map(({ score }) => score.score)),
    int2Array(leads.map(({ score }) => score.risk)),
    textArray(leads.map(({ score }) => score.grade)),
    textArray(leads.map(({ score }) => score.verdict)),
    jsonbArray(leads.map(({ score }) => reasonsOf(score))),
    textArray(leads.map(({ score }) => score.ruleset)),
  ];
}

function reasonsOf(score: Score): Buffer {
  const reasons = packReasons(score);
  return reasons.length === 0 ? noReasons : Buffer.from(JSON.stringify(reasons));
}
