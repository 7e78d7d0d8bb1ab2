import { sql } from 'kysely';
import type pg from 'pg';
import { insertRows, rowsOf, run } from '../sql.ts';

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

type Requests = readonly RejectedRequest[];

/** Calls `write` for the requests of one bucket after the other. */
type InBuckets = (
  requests: Requests,
  write: (client: pg.PoolClient, requests: Requests) => Promise<void>,
) => Promise<void>;

/**
 * Skips requests to a slug that another workspace used before, because they may come from its senders. Also skips requests
 * with the body of a lead that was erased after they arrived. The lock is the coordinator's, and everyone who takes it goes
 * through the coordinator: so a later statement sees all that the last holder has written on any node.
 */
export async function insertRejectedRequests(
  client: pg.PoolClient,
  requests: Requests,
  inBuckets: InBuckets = (all, write) => write(client, all),
): Promise<void> {
  if (requests.length === 0) return;
  const workspaceIds = [...new Set(requests.map(({ workspaceId }) => workspaceId))].toSorted();
  await run(client, sql`select lock_erasures(id, false) from unnest(${workspaceIds}::uuid[]) as id`);
  const others = await placesOfOthers(client, requests);
  await inBuckets(
    requests.filter((_, place) => !others.has(place)),
    insertUnerased,
  );
}

/** The places of requests to a slug that another workspace used before. */
async function placesOfOthers(client: pg.PoolClient, requests: Requests): Promise<Set<number>> {
  const slugs = requests.map(({ slug }) => slug);
  const workspaceIds = requests.map(({ workspaceId }) => workspaceId);
  const rows = await rowsOf(
    client,
    sql<Placed>`
      select (r.place - 1)::int as place
      from unnest(${slugs}::text[], ${workspaceIds}::uuid[]) with ordinality as r (slug, workspace_id, place)
      where exists (select from former_slugs s where s.slug = r.slug and s.workspace_id <> r.workspace_id)`,
  );
  return new Set(rows.map(({ place }) => place));
}

interface Placed {
  readonly place: number;
}

async function insertUnerased(client: pg.PoolClient, requests: Requests): Promise<void> {
  const erased = await placesOfErased(client, requests);
  await insertRows(
    client,
    'rejected_requests (shard, workspace_id, rejection_id, form_id, at, sealed, body_hash)',
    requests
      .filter((_, place) => !erased.has(place))
      .map((r) => [r.shard, r.workspaceId, r.rejectionId, r.formId, r.at, r.sealed, r.bodyHash]),
  );
}

/** The places of requests with the body of a lead that was erased after they arrived. */
async function placesOfErased(client: pg.PoolClient, requests: Requests): Promise<Set<number>> {
  const column = (name: keyof RejectedRequest) => requests.map((request) => request[name]);
  const shards = [...new Set(requests.map(({ shard }) => shard))];
  const rows = await rowsOf(
    client,
    sql<Placed>`
      select (r.place - 1)::int as place
      from unnest(${column('shard')}::smallint[], ${column('workspaceId')}::uuid[], ${column('bodyHash')}::bytea[],
        ${column('at')}::timestamptz[]) with ordinality as r (shard, workspace_id, body_hash, at, place)
      join lead_erasures e on (e.shard, e.workspace_id, e.body_hash) = (r.shard, r.workspace_id, r.body_hash)
        and r.at <= e.erased_at
      where e.shard = any (${shards}::smallint[])`,
  );
  return new Set(rows.map(({ place }) => place));
}
