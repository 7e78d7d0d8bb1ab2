import { sql } from 'kysely';
import type { HeldClass } from '../../domain/held/held-class.ts';
import type { RejectionReason } from '../../domain/rejection.ts';
import type { Surface } from '../../domain/surface.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { allOf, firstRow, rowsOf } from '../sql.ts';

export interface HeldRecord {
  readonly id: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly surface: Surface;
  readonly reason: RejectionReason;
  readonly class: HeldClass;
  readonly sender: string | null;
  readonly receivedAt: Date;
  readonly requestId: string;
  readonly sentAt: Date | null;
  readonly bodyBytes: number;
  readonly keyHash: Buffer | null;
  readonly verifiedAt: Date | null;
  readonly state: 'held' | 'admitted' | 'discarded';
  readonly decidedAt: Date | null;
  readonly decidedBy: string | null;
  readonly submissionId: string | null;
  readonly expiresAt: Date;
}

export interface ListedHeld extends HeldRecord {
  /** The first bytes of its content, which tell the key that it was encrypted with; null once it is decided. */
  readonly head: Buffer | null;
}

export interface WholeHeld extends HeldRecord {
  /** Null once it is decided. */
  readonly sealed: Buffer | null;
}

export interface HeldFilter {
  readonly state: HeldRecord['state'];
  readonly reason?: RejectionReason | undefined;
  readonly formId?: string | undefined;
  readonly class?: HeldClass | undefined;
  /** This time or later. */
  readonly from?: Date | undefined;
  /** Before this time. */
  readonly to?: Date | undefined;
}

const columns = sql`id, form_id as "formId", token_id as "tokenId", surface, reason, class, sender, received_at as "receivedAt",
  request_id as "requestId", sent_at as "sentAt", body_bytes as "bodyBytes", key_hash as "keyHash",
  verified_at as "verifiedAt", state, decided_at as "decidedAt", decided_by as "decidedBy",
  submission_id as "submissionId", expires_at as "expiresAt"`;

/** The key id of a value is in its first bytes. */
const headBytes = 5;

export async function listHeld(
  db: Queryable,
  workspaceId: string,
  filter: HeldFilter,
  now: Date,
  { after, limit }: PageRequest,
): Promise<ListedHeld[]> {
  const { state, reason, formId, from, to } = filter;
  const conditions = [inWorkspace(workspaceId), sql`state = ${state}`, sql`expires_at > ${now}`];
  if (reason !== undefined) conditions.push(sql`reason = ${reason}`);
  if (formId !== undefined) conditions.push(sql`form_id = ${formId}`);
  if (filter.class !== undefined) conditions.push(sql`class = ${filter.class}`);
  if (from !== undefined) conditions.push(sql`received_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`received_at < ${to}`);
  if (after !== null) conditions.push(comesAfter(after, 'received_at', 'id'));
  return rowsOf(
    db,
    sql<ListedHeld>`
      select ${columns}, substring(sealed from 1 for ${headBytes}::int) as head from held_submissions
      where ${allOf(conditions)} order by received_at desc, id desc limit ${limit}`,
  );
}

export async function findHeld(
  db: Queryable,
  workspaceId: string,
  id: string,
  now: Date,
): Promise<WholeHeld | null> {
  return firstRow(
    db,
    sql<WholeHeld>`
      select ${columns}, sealed from held_submissions
      where ${inWorkspace(workspaceId)} and id = ${id} and expires_at > ${now}`,
  );
}
