import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { rowsOf } from '../sql.ts';
import type { NewHeld } from './held-database.ts';

interface Placed {
  readonly place: number;
}

/** The places of unproven requests to a slug that another workspace used before: they may come from its senders. */
export async function placesOfOthers(
  client: pg.PoolClient,
  held: readonly NewHeld[],
): Promise<ReadonlySet<number>> {
  const slugs = held.map(({ class: heldClass, slug }) => (heldClass === 'D' ? slug : null));
  const workspaceIds = held.map(({ workspaceId }) => workspaceId);
  const rows = await rowsOf(
    client,
    sql<Placed>`
      select (r.place - 1)::int as place
      from unnest(${slugs}::text[], ${workspaceIds}::uuid[]) with ordinality as r (slug, workspace_id, place)
      where exists (select from former_slugs s where s.slug = r.slug and s.workspace_id <> r.workspace_id)`,
  );
  return new Set(rows.map(({ place }) => place));
}

/** The places of requests with the body of a lead that was erased after they arrived. All are of one bucket. */
export async function placesOfErased(
  client: pg.PoolClient,
  held: readonly NewHeld[],
): Promise<ReadonlySet<number>> {
  const column = (name: keyof NewHeld) => held.map((one) => one[name]);
  const shards = [...new Set(held.map(({ shard }) => shard))];
  const rows = await rowsOf(
    client,
    sql<Placed>`
      select (r.place - 1)::int as place
      from unnest(${column('shard')}::smallint[], ${column('workspaceId')}::uuid[], ${column('bodyHash')}::bytea[],
        ${column('receivedAt')}::timestamptz[]) with ordinality as r (shard, workspace_id, body_hash, at, place)
      join lead_erasures e on (e.shard, e.workspace_id, e.body_hash) = (r.shard, r.workspace_id, r.body_hash)
        and r.at <= e.erased_at
      where e.shard = any (${shards}::smallint[])`,
  );
  return new Set(rows.map(({ place }) => place));
}

/** The places of requests that are kept already, by id or by signature. All are of one bucket. */
export async function placesOfKnown(
  client: pg.PoolClient,
  held: readonly NewHeld[],
): Promise<ReadonlySet<number>> {
  const byId = await placesOfEqual(client, held, 'id', sql`uuid`);
  const bySignature = await placesOfEqual(client, held, 'signature_hash', sql`bytea`);
  return byId.union(bySignature);
}

const named = { id: 'id', signature_hash: 'signatureHash' } as const;

/** Each column has an index. */
async function placesOfEqual(
  client: pg.PoolClient,
  held: readonly NewHeld[],
  column: keyof typeof named,
  type: RawBuilder<unknown>,
): Promise<Set<number>> {
  const values = (name: keyof NewHeld) => held.map((one) => one[name]);
  const shards = [...new Set(held.map(({ shard }) => shard))];
  const rows = await rowsOf(
    client,
    sql<Placed>`
      select (r.place - 1)::int as place
      from unnest(${values('shard')}::smallint[], ${values('workspaceId')}::uuid[], ${values(named[column])}::${type}[])
        with ordinality as r (shard, workspace_id, value, place)
      join held_submissions h on (h.shard, h.workspace_id, ${sql.ref(`h.${column}`)}) = (r.shard, r.workspace_id, r.value)
      where h.shard = any (${shards}::smallint[])`,
  );
  return new Set(rows.map(({ place }) => place));
}

/** By the id of the form. */
export type PresentSettings = ReadonlyMap<string, { readonly heldDays: number }>;

/**
 * For how many days requests to these forms are kept now; 0 for a form that was deleted, or keeps nothing. Whoever sets fewer
 * days or deletes a form has the lock of the usage, too: so nothing is kept by what was before.
 */
export async function presentSettings(
  client: pg.PoolClient,
  held: readonly NewHeld[],
): Promise<PresentSettings> {
  const formIds = [...new Set(held.map(({ formId }) => formId))];
  const rows = await rowsOf(
    client,
    sql<{ formId: string; heldDays: number }>`
      select f.id as "formId", case when f.deleted_at is null and f.keeps_rejected then w.held_days else 0 end as "heldDays"
      from forms f join workspaces w on w.id = f.workspace_id where f.id = any (${formIds}::uuid[])`,
  );
  return new Map(rows.map(({ formId, heldDays }) => [formId, { heldDays }]));
}
