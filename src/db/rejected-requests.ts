import type { RejectionReason } from '../domain/rejection.ts';
import { shardOf } from '../domain/workspace.ts';
import type { Queryable } from './pool.ts';

/** A rejected request as the signature debugger needs it, sealed. */
export interface RejectedRequest {
  readonly shard: number;
  readonly workspaceId: string;
  readonly rejectionId: string;
  readonly formId: string;
  /** Where it was sent. Not stored. */
  readonly slug: string;
  readonly at: string;
  readonly sealed: Buffer;
}

export interface RejectionOfForm {
  readonly reason: RejectionReason;
  readonly at: Date;
  /** Null when nothing of the request was kept, or when it was deleted since. */
  readonly sealed: Buffer | null;
}

/**
 * Except those that were sent to a slug which another workspace had too, and has given up since: they may come from
 * its senders.
 */
export async function insertRejectedRequests(
  db: Queryable,
  requests: readonly RejectedRequest[],
): Promise<void> {
  const column = (name: keyof RejectedRequest) => requests.map((request) => request[name]);
  await db.query(
    `insert into rejected_requests (shard, workspace_id, rejection_id, form_id, at, sealed)
     select shard, workspace_id, rejection_id, form_id, at, sealed
     from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::bytea[], $7::text[])
       as r (shard, workspace_id, rejection_id, form_id, at, sealed, slug)
     where not exists (select from former_slugs s where s.slug = r.slug and s.workspace_id <> r.workspace_id)`,
    [
      column('shard'),
      column('workspaceId'),
      column('rejectionId'),
      column('formId'),
      column('at'),
      column('sealed'),
      column('slug'),
    ],
  );
}

/** A rejection of this very form, with what was kept of it. */
export async function findRejectionOfForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
  rejectionId: string,
): Promise<RejectionOfForm | null> {
  const { rows } = await db.query(
    `select e.reason, e.at, r.sealed
     from rejection_entries e
     left join rejected_requests r
       on r.shard = e.shard and r.workspace_id = e.workspace_id and r.rejection_id = e.id
     where e.shard = $1 and e.workspace_id = $2 and e.form_id = $3 and e.id = $4`,
    [shardOf(workspaceId), workspaceId, formId, rejectionId],
  );
  return rows[0] ?? null;
}

export async function deleteRejectedRequestsOfForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<void> {
  await db.query('delete from rejected_requests where shard = $1 and workspace_id = $2 and form_id = $3', [
    shardOf(workspaceId),
    workspaceId,
    formId,
  ]);
}
