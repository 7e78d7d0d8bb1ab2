import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { dayMs, hourMs } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { rowsOf } from '../sql.ts';

/** A held request that may be a copy of a lead. */
export interface PossibleTwin {
  readonly id: string;
  readonly formId: string;
  readonly receivedAt: Date;
  /** 0 if it is not known, as in rows of an earlier version. */
  readonly bodyBytes: number;
}

/** One that was opened. */
export interface DigestedTwin extends PossibleTwin {
  readonly digest: string;
}

// A lead that came long before is another one with the same content. A sender repeats a rejected request for days.
const beforeMs = hourMs;
const afterMs = 7 * dayMs;

/** True if a lead that was received at this time can be the same as a request that was received at the other. */
export function isTwinTime(leadAt: Date, heldAt: Date): boolean {
  const ms = leadAt.getTime() - heldAt.getTime();
  return ms >= -beforeMs && ms <= afterMs;
}

export function bodyDigest(body: Buffer): string {
  return hash('sha256', body, 'hex');
}

interface SizeRow {
  readonly formId: string;
  readonly bytes: number;
}

/** Those to whose form a lead of the same length came at about that time: only these need to be opened and compared. */
export async function possibleTwins<Row extends PossibleTwin>(
  db: Queryable,
  workspaceId: string,
  rows: readonly Row[],
): Promise<Row[]> {
  const known = rows.filter(({ bodyBytes }) => bodyBytes > 0);
  if (known.length === 0) return [...rows];
  const sizes = await rowsOf(
    db,
    sql<SizeRow>`
      select distinct form_id as "formId", octet_length(body) as bytes from leads
      where ${inWorkspace(workspaceId)} and ${inTimeOf(rows)} and octet_length(body) = any (${sizesOf(known)}::int[])`,
  );
  const found = new Set(sizes.map(({ formId, bytes }) => `${formId} ${bytes}`));
  return rows.filter(({ formId, bodyBytes }) => bodyBytes === 0 || found.has(`${formId} ${bodyBytes}`));
}

interface EqualLeads {
  readonly formId: string;
  readonly digest: string;
  readonly firstAt: Date;
  readonly firstId: string;
  readonly lastAt: Date;
  readonly lastId: string;
}

/**
 * The submission id of an equal lead of the same form, by the id of the request. Equal leads of the same minute are returned
 * as one, because there can be many, and the time in question is longer: it contains the first or the last, or none.
 */
export async function findEqualLeads(
  db: Queryable,
  workspaceId: string,
  rows: readonly DigestedTwin[],
): Promise<Map<string, string>> {
  if (rows.length === 0) return new Map();
  const digests = [...new Set(rows.map(({ digest }) => digest))];
  const equal = await rowsOf(
    db,
    sql<EqualLeads>`
      select form_id as "formId", encode(sha256(body), 'hex') as digest,
        min(received_at) as "firstAt", (array_agg(submission_id order by received_at))[1] as "firstId",
        max(received_at) as "lastAt", (array_agg(submission_id order by received_at desc))[1] as "lastId"
      from leads
      where ${inWorkspace(workspaceId)} and ${inTimeOf(rows)}
        and case when octet_length(body) = any (${sizesOf(rows)}::int[])
          then encode(sha256(body), 'hex') = any (${digests}::text[]) else false end
      group by form_id, sha256(body), date_trunc('minute', received_at)`,
  );
  const byContent = Map.groupBy(equal, ({ formId, digest }) => `${formId} ${digest}`);
  return new Map(
    rows.flatMap(({ id, formId, receivedAt, digest }): [string, string][] => {
      for (const leads of byContent.get(`${formId} ${digest}`) ?? []) {
        if (isTwinTime(leads.firstAt, receivedAt)) return [[id, leads.firstId]];
        if (isTwinTime(leads.lastAt, receivedAt)) return [[id, leads.lastId]];
      }
      return [];
    }),
  );
}

interface LivingKey {
  readonly keyHash: string;
  readonly submissionId: string;
}

interface Keyed {
  readonly id: string;
  readonly keyHash: Buffer | null;
}

/** The submission id of the lead to which its idempotency key belongs, by the id of the request. */
export async function findKeyOwners(
  db: Queryable,
  workspaceId: string,
  rows: readonly Keyed[],
  now: Date,
): Promise<Map<string, string>> {
  const hashes = rows.flatMap(({ keyHash }) => keyHash ?? []);
  if (hashes.length === 0) return new Map();
  const living = await rowsOf(
    db,
    sql<LivingKey>`
      select encode(key_hash, 'hex') as "keyHash", submission_id as "submissionId" from idempotency_keys
      where ${inWorkspace(workspaceId)} and key_hash = any (${hashes}::bytea[]) and expires_at > ${now}`,
  );
  const ownerOf = new Map(living.map(({ keyHash, submissionId }) => [keyHash, submissionId]));
  return new Map(
    rows.flatMap(({ id, keyHash }): [string, string][] => {
      const owner = keyHash === null ? undefined : ownerOf.get(keyHash.toString('hex'));
      return owner === undefined ? [] : [[id, owner]];
    }),
  );
}

function inTimeOf(rows: readonly PossibleTwin[]) {
  const times = rows.map(({ receivedAt }) => receivedAt.getTime());
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const formIds = [...new Set(rows.map(({ formId }) => formId))];
  return sql`form_id = any (${formIds}::uuid[])
    and received_at between ${new Date(first - beforeMs)} and ${new Date(last + afterMs)}`;
}

function sizesOf(rows: readonly Pick<PossibleTwin, 'bodyBytes'>[]): number[] {
  return [...new Set(rows.map(({ bodyBytes }) => bodyBytes))];
}
