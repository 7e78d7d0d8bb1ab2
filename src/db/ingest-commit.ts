import type pg from 'pg';
import { keyLifetimeMs } from '../domain/idempotency.ts';
import { submissionsPerDayMax, submissionsPerMinuteMax } from '../domain/rate-window.ts';
import type { Score } from '../domain/score/score.ts';
import type { Surface } from '../domain/surface.ts';
import { binaryArray, binaryInt2, binaryJsonb, binaryTimestamp, binaryUuid, oid } from './binary.ts';

/** All that is kept of a lead. Ids that recur come in their binary form, made once. */
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
}

export interface StorableKey {
  readonly hash: Buffer;
  readonly bodyHash: Buffer;
}

/** What became of a lead that was not simply stored; see migrations/0004_ingest_commit.sql. */
export interface CommitException {
  readonly place: number;
  readonly outcome: 'replay' | 'rate_limited_minute' | 'rate_limited_day' | 'again';
  readonly submissionId: string | null;
  readonly sameBody: boolean | null;
}

export interface CommitOptions {
  readonly now: number;
  readonly isRetry: boolean;
}

const parameterCount = 22;
const statement = {
  name: 'ingest_commit',
  text: `select place, outcome, submission_id, same_body from ingest_commit(${Array.from(
    { length: parameterCount },
    (_, index) => `$${index + 1}`,
  ).join(', ')})`,
  rowMode: 'array' as const,
};
const noReasons = binaryJsonb(Buffer.from('[]'));

export async function ingestCommit(
  client: pg.ClientBase,
  leads: readonly StorableLead[],
  options: CommitOptions,
): Promise<CommitException[]> {
  const { rows } = await client.query({ ...statement, values: parameters(leads, options) });
  return rows.map(([place, outcome, submissionId, sameBody]) => ({
    place: place - 1,
    outcome,
    submissionId,
    sameBody,
  }));
}

function parameters(leads: readonly StorableLead[], { now, isRetry }: CommitOptions): unknown[] {
  const column = (type: number, encode: (lead: StorableLead) => Uint8Array | null) =>
    binaryArray(type, leads.map(encode));
  return [
    new Date(now).toISOString(),
    isRetry,
    submissionsPerMinuteMax,
    submissionsPerDayMax,
    `${keyLifetimeMs} milliseconds`,
    column(oid.int2, (lead) => binaryInt2(lead.shard)),
    column(oid.uuid, (lead) => lead.workspaceId),
    column(oid.uuid, (lead) => binaryUuid(lead.submissionId)),
    column(oid.uuid, (lead) => lead.formId),
    column(oid.uuid, (lead) => lead.tokenId),
    column(oid.text, (lead) => text(lead.surface)),
    column(oid.timestamptz, (lead) => binaryTimestamp(lead.receivedAt)),
    column(oid.bytea, (lead) => lead.body),
    column(oid.jsonb, (lead) => binaryJsonb(lead.projection)),
    column(oid.int2, (lead) => binaryInt2(lead.score.score)),
    column(oid.int2, (lead) => binaryInt2(lead.score.risk)),
    column(oid.text, (lead) => text(lead.score.grade)),
    column(oid.text, (lead) => text(lead.score.verdict)),
    column(oid.jsonb, (lead) => reasonsOf(lead.score)),
    column(oid.text, (lead) => text(lead.score.ruleset)),
    column(oid.bytea, (lead) => lead.key?.hash ?? null),
    column(oid.bytea, (lead) => lead.key?.bodyHash ?? null),
  ];
}

function reasonsOf(score: Score): Buffer {
  return score.reasons.length === 0 ? noReasons : binaryJsonb(Buffer.from(JSON.stringify(score.reasons)));
}

// Surfaces, grades, verdicts and rulesets: a few short words, again and again.
const words = new Map<string, Buffer>();

function text(word: string): Buffer {
  const known = words.get(word);
  if (known !== undefined) return known;
  const bytes = Buffer.from(word);
  words.set(word, bytes);
  return bytes;
}
