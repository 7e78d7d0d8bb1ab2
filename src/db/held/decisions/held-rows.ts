import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { HeldClass } from '../../../domain/held/held-class.ts';
import type { RejectionReason } from '../../../domain/rejection.ts';
import type { Surface } from '../../../domain/surface.ts';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { rowsOf } from '../../sql.ts';

/** What deciding about a held request depends on. */
export interface HeldRow {
  readonly id: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly surface: Surface;
  readonly reason: RejectionReason;
  readonly class: HeldClass;
  readonly sender: string | null;
  readonly receivedAt: Date;
  readonly keyHash: Buffer | null;
  readonly state: 'held' | 'admitted' | 'discarded';
  readonly submissionId: string | null;
  readonly decisionId: string | null;
  /** Of its encrypted content; null once it is decided. */
  readonly bytes: number | null;
}

export interface SealedRow extends HeldRow {
  readonly workspaceId: string;
  readonly sealed: Buffer | null;
}

const columns = sql`id, form_id as "formId", token_id as "tokenId", surface, reason, class, sender, received_at as "receivedAt",
  key_hash as "keyHash", state, submission_id as "submissionId", decision_id as "decisionId",
  octet_length(sealed) as bytes`;

const these = (workspaceId: string, ids: readonly string[], now: Date): RawBuilder<unknown> =>
  sql`${inWorkspace(workspaceId)} and id = any (${ids}::uuid[]) and expires_at > ${now}`;

export async function readHeldRows(
  db: Queryable,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<SealedRow[]> {
  return rowsOf(
    db,
    sql<SealedRow>`
      select ${columns}, workspace_id as "workspaceId", sealed from held_submissions
      where ${these(workspaceId, ids, now)} order by id`,
  );
}

/** Until the end of the transaction, nobody else decides about them. The caller has the lock of the usage. */
export async function lockHeldRows(
  client: pg.PoolClient,
  workspaceId: string,
  ids: readonly string[],
  now: Date,
): Promise<HeldRow[]> {
  return rowsOf(
    client,
    sql<HeldRow>`
      select ${columns} from held_submissions where ${these(workspaceId, ids, now)} order by id for update`,
  );
}
