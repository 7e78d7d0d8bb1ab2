import { sql } from 'kysely';
import type pg from 'pg';
import type { RejectionReason } from '../../domain/rejection.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace } from '../sharded.ts';
import { firstRow, rowsOf, run } from '../sql.ts';

/** A rejected request for the signature debugger, encrypted. */
export interface RejectedRequest {
  readonly shard: number;
  readonly workspaceId: string;
  readonly rejectionId: string;
  readonly formId: string;
  /** The slug it was sent to. Not stored. */
  readonly slug: string;
  readonly at: string;
  readonly sealed: Buffer;
  /** A keyed hash; empty when the body was too large to be kept. */
  readonly bodyHash: Buffer;
}

export interface RejectionOfForm {
  readonly reason: RejectionReason;
  readonly at: Date;
  readonly requestId: string;
  /** Null when the request was not kept or was deleted since. */
  readonly sealed: Buffer | null;
}

/**
 * Skips requests to a slug that another workspace used before, because they may come from its senders. Also skips requests
 * with the body of a lead that was erased after they arrived.
 */
export async function insertRejectedRequests(
  client: pg.PoolClient,
  requests: readonly RejectedRequest[],
): Promise<void> {
  const column = (name: keyof RejectedRequest) => requests.map((request) => request[name]);
  const workspaceIds = [...new Set(requests.map(({ workspaceId }) => workspaceId))].toSorted();
  await run(client, sql`select lock_erasures(id, false) from unnest(${workspaceIds}::uuid[]) as id`);
  await run(
    client,
    sql`
      insert into rejected_requests (shard, workspace_id, rejection_id, form_id, at, sealed, body_hash)
      select shard, workspace_id, rejection_id, form_id, at, sealed, body_hash
      from unnest(${column('shard')}::smallint[], ${column('workspaceId')}::uuid[], ${column('rejectionId')}::uuid[],
        ${column('formId')}::uuid[], ${column('at')}::timestamptz[], ${column('sealed')}::bytea[],
        ${column('slug')}::text[], ${column('bodyHash')}::bytea[])
        as r (shard, workspace_id, rejection_id, form_id, at, sealed, slug, body_hash)
      where not exists (select from former_slugs s where s.slug = r.slug and s.workspace_id <> r.workspace_id)
        and not exists (
          select from lead_erasures e
          where (e.shard, e.workspace_id, e.body_hash) = (r.shard, r.workspace_id, r.body_hash) and r.at <= e.erased_at)`,
  );
}

/** A rejection of this form, with its encrypted request if it was kept. */
export async function findRejectionOfForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
  rejectionId: string,
): Promise<RejectionOfForm | null> {
  return firstRow(
    db,
    sql<RejectionOfForm>`
      select e.reason, e.at, e.request_id as "requestId", r.sealed
      from rejection_entries e
      left join rejected_requests r
        on r.shard = e.shard and r.workspace_id = e.workspace_id and r.rejection_id = e.id
      where e.shard = ${shardOf(workspaceId)} and e.workspace_id = ${workspaceId} and e.form_id = ${formId}
        and e.id = ${rejectionId}`,
  );
}

export async function deleteRejectedRequestsOfForm(
  db: Queryable,
  workspaceId: string,
  formId: string,
): Promise<void> {
  await run(db, sql`delete from rejected_requests where ${inWorkspace(workspaceId)} and form_id = ${formId}`);
}

export async function deleteRejectedRequestsOfBody(
  client: pg.PoolClient,
  workspaceId: string,
  bodyHash: Buffer,
): Promise<void> {
  await run(
    client,
    sql`delete from rejected_requests where ${inWorkspace(workspaceId)} and body_hash = ${bodyHash}`,
  );
}

const unhashedPerPage = 50;

interface UnhashedRequest {
  readonly rejectionId: string;
  readonly sealed: Buffer;
}

/** A page of the requests that an earlier version stored without a hash. */
export async function listUnhashedRequests(
  client: pg.PoolClient,
  workspaceId: string,
  after: string | null,
): Promise<UnhashedRequest[]> {
  const isAfter = after === null ? sql`` : sql`and rejection_id > ${after}`;
  return rowsOf(
    client,
    sql<UnhashedRequest>`
      select rejection_id as "rejectionId", sealed from rejected_requests
      where ${inWorkspace(workspaceId)} and body_hash is null ${isAfter}
      order by rejection_id limit ${unhashedPerPage}`,
  );
}

export async function deleteRejectedRequests(
  client: pg.PoolClient,
  workspaceId: string,
  rejectionIds: readonly string[],
): Promise<void> {
  await run(
    client,
    sql`
      delete from rejected_requests
      where ${inWorkspace(workspaceId)} and rejection_id = any (${rejectionIds}::uuid[])`,
  );
}
