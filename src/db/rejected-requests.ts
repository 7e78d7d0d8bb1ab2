import type { RejectionReason } from '../domain/rejection.ts';
import { shardOf } from '../domain/workspace.ts';
import type { Queryable } from './pool.ts';

/** A rejected request as the signature debugger needs it, sealed. */
export interface RejectedRequest {
  readonly shard: number;
  readonly workspaceId: string;
  readonly rejectionId: string;
  readonly formId: string;
  readonly at: string;
  readonly sealed: Buffer;
}

export interface RejectionOfForm {
  readonly reason: RejectionReason;
  readonly at: Date;
  /** Null when nothing of the request was kept, or when it was deleted since. */
  readonly sealed: Buffer | null;
}

export async function insertRejectedRequests(
  db: Queryable,
  requests: readonly RejectedRequest[],
): Promise<void> {
  const column = (name: keyof RejectedRequest) => requests.map((request) => request[name]);
  await db.query(
    `insert into rejected_requests (shard, workspace_id, rejection_id, form_id, at, sealed)
     select * from unnest($1::smallint[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::bytea[])`,
    [
      column('shard'),
      column('workspaceId'),
      column('rejectionId'),
      column('formId'),
      column('at'),
      column('sealed'),
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
