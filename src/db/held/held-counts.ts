import { sql } from 'kysely';
import type { RejectionReason } from '../../domain/rejection.ts';
import { readableSenders } from '../../domain/senders/kinds.ts';
import { utcDay } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { allOf, onlyRow, rowsOf } from '../sql.ts';

/** Selects held submissions that can become leads, as `isAdmissible` of domain/held/held-class.ts does. */
export const areAdmissible = sql`(class in ('A', 'B') or class = 'E' and sender = any (${[...readableSenders]}::text[]))`;

export interface HeldReasonCount {
  readonly reason: RejectionReason;
  readonly count: number;
  readonly admissible: number;
  readonly verified: number;
  /** When the first of them is deleted. */
  readonly nextExpiresAt: Date;
  /** When the newest that is admissible arrived. */
  readonly lastAt: Date | null;
}

/** Read from the index alone. */
export async function countHeldByReason(
  db: Queryable,
  workspaceId: string,
  formId: string | undefined,
  now: Date,
): Promise<HeldReasonCount[]> {
  return rowsOf(
    db,
    sql<HeldReasonCount>`
      select reason, count(*) as count, count(*) filter (where ${areAdmissible}) as admissible,
        count(*) filter (where class = 'A' and verified_at is not null) as verified,
        min(expires_at) as "nextExpiresAt", max(received_at) filter (where ${areAdmissible}) as "lastAt"
      from held_submissions where ${allOf(stillHeld(workspaceId, formId, now))}
      group by reason order by count(*) desc, reason`,
  );
}

/** Which rejections, as diagnostics select them. */
interface HeldRange {
  readonly from: Date;
  readonly to: Date;
  readonly formId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly surface?: string | undefined;
  readonly requestId?: string | undefined;
}

/** How many rejections of a range are still held, by reason. */
export async function countHeldWithin(
  db: Queryable,
  workspaceId: string,
  { from, to, formId, tokenId, surface, requestId }: HeldRange,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const conditions = stillHeld(workspaceId, formId, now);
  conditions.push(sql`received_at >= date_trunc('minute', ${from}::timestamptz) and received_at < ${to}`);
  if (tokenId !== undefined) conditions.push(sql`token_id = ${tokenId}`);
  if (surface !== undefined) conditions.push(sql`surface = ${surface}`);
  if (requestId !== undefined) conditions.push(sql`request_id = ${requestId}`);
  const rows = await rowsOf(
    db,
    sql<{ reason: string; count: number }>`
      select reason, count(*) as count from held_submissions where ${allOf(conditions)} group by reason`,
  );
  return new Map(rows.map(({ reason, count }) => [reason, count]));
}

/** Of these rejections, those that are held. */
export async function findHeldAmong(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await rowsOf(
    db,
    sql<{ id: string }>`
      select id from held_submissions
      where ${inWorkspace(workspaceId)} and id = any (${ids}::uuid[]) and state = 'held' and expires_at > ${now}`,
  );
  return new Set(rows.map(({ id }) => id));
}

function stillHeld(workspaceId: string, formId: string | undefined, now: Date) {
  const conditions = [inWorkspace(workspaceId), sql`state = 'held'`, sql`expires_at > ${now}`];
  if (formId !== undefined) conditions.push(sql`form_id = ${formId}`);
  return conditions;
}

/** What they use, without those that are past their time and only wait to be deleted. */
export async function sumHeldBytes(
  db: Queryable,
  workspaceId: string,
  formId: string | undefined,
  now: Date,
): Promise<number> {
  const ofForm = formId === undefined ? sql`true` : sql`form_id = ${formId}`;
  const { bytes } = await onlyRow(
    db,
    sql<{ bytes: number }>`
      select (coalesce((select sum(bytes) from held_usage where ${inWorkspace(workspaceId)} and ${ofForm}), 0)
        - coalesce((select sum(octet_length(sealed)) from held_submissions
          where ${inWorkspace(workspaceId)} and ${ofForm} and expires_at <= ${now} and sealed is not null), 0)
      )::bigint as bytes`,
  );
  return Math.max(0, bytes);
}

/** How many were not kept since a day, for want of space. */
export async function countMissed(db: Queryable, workspaceId: string, since: Date): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`
      select coalesce(sum(count), 0)::bigint as count from held_missed
      where ${inWorkspace(workspaceId)} and day >= ${utcDay(since.getTime())}::date`,
  );
  return count;
}

/** The same for all workspaces together. */
export async function countMissedAnywhere(db: Queryable, since: Date): Promise<number> {
  const { count } = await onlyRow(
    db,
    sql<{ count: number }>`
      select coalesce(sum(count), 0)::bigint as count from held_missed where day >= ${utcDay(since.getTime())}::date`,
  );
  return count;
}
