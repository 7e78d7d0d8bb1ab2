import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../../domain/workspace.ts';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { onlyRow, rowsOf, run } from '../../sql.ts';
import { fieldsOf } from '../lead-content.ts';

/** Covers all leads received from `from` on and before `to`. */
export interface Block {
  readonly block: number;
  readonly from: Date;
  readonly to: Date;
  readonly leads: number;
}

/** The newest first. */
export async function listBlocks(db: Queryable, workspaceId: string): Promise<Block[]> {
  return rowsOf(
    db,
    sql<Block>`
      select block, from_at as "from", to_at as "to", leads from lead_blocks
      where ${inWorkspace(workspaceId)} order by from_at desc`,
  );
}

export interface LeadToIndex {
  readonly submissionId: string;
  readonly receivedAt: Date;
  readonly fieldsText: string;
  readonly score: number;
  readonly grade: string;
}

export type Interval = Pick<Block, 'from' | 'to'>;

/** The newest first. */
export async function readLeadsToIndex(
  db: Queryable,
  workspaceId: string,
  { from, to }: Interval,
): Promise<LeadToIndex[]> {
  return rowsOf(
    db,
    sql<LeadToIndex>`
      select submission_id as "submissionId", received_at as "receivedAt",
        ${fieldsOf('leads')}::text as "fieldsText", score, grade
      from leads where ${inWorkspace(workspaceId)} and received_at >= ${from} and received_at < ${to}
      order by received_at desc, submission_id desc`,
  );
}

/** To see whether anything has changed since. */
export async function readLeadScores(
  db: Queryable,
  workspaceId: string,
  { from, to }: Interval,
): Promise<Pick<LeadToIndex, 'submissionId' | 'score'>[]> {
  return rowsOf(
    db,
    sql<Pick<LeadToIndex, 'submissionId' | 'score'>>`
      select submission_id as "submissionId", score
      from leads where ${inWorkspace(workspaceId)} and received_at >= ${from} and received_at < ${to}
      order by received_at desc, submission_id desc`,
  );
}

export interface RunPiece {
  readonly columnId: string;
  readonly firstKey: Buffer;
  readonly piece: number;
  readonly keys: readonly string[];
  readonly places: Buffer;
}

export interface BlockContent {
  readonly grams: { readonly grams: number[]; readonly leads: Buffer[] };
  readonly pieces: readonly RunPiece[];
}

const rowsPerInsert = 2_000;

export async function insertBlock(
  client: pg.PoolClient,
  workspaceId: string,
  { from, to }: Interval,
  leads: readonly LeadToIndex[],
  { grams, pieces }: BlockContent,
): Promise<void> {
  const shard = shardOf(workspaceId);
  const block = await findFreeNumber(client, workspaceId);
  await run(
    client,
    sql`
      insert into lead_blocks (shard, workspace_id, block, from_at, to_at, leads, places)
      values (${shard}, ${workspaceId}, ${block}, ${from}, ${to}, ${leads.length}, ${placesOf(leads)})`,
  );
  for (let start = 0; start < grams.grams.length; start += rowsPerInsert) {
    const end = start + rowsPerInsert;
    await run(
      client,
      sql`
        insert into lead_grams (shard, workspace_id, block, gram, leads)
        select ${shard}::smallint, ${workspaceId}::uuid, ${block}::int, gram, leads
        from unnest(${grams.grams.slice(start, end)}::int[], ${grams.leads.slice(start, end)}::bytea[])
          as found (gram, leads) order by gram`,
    );
  }
  for (let start = 0; start < pieces.length; start += rowsPerInsert) {
    const some = pieces.slice(start, start + rowsPerInsert);
    await run(
      client,
      sql`
        insert into lead_runs (shard, workspace_id, block, column_id, first_key, piece, keys, places)
        select ${shard}::smallint, ${workspaceId}::uuid, ${block}::int, column_id, first_key, piece, keys, places
        from unnest(${some.map(({ columnId }) => columnId)}::bigint[], ${some.map(({ firstKey }) => firstKey)}::bytea[],
          ${some.map(({ piece }) => piece)}::smallint[], ${some.map(({ keys }) => JSON.stringify(keys))}::text[],
          ${some.map(({ places }) => places)}::bytea[]) as found (column_id, first_key, piece, keys, places)`,
    );
  }
}

/** Not that of a block of which something is left. */
async function findFreeNumber(client: pg.PoolClient, workspaceId: string): Promise<number> {
  const highestIn = (table: string) =>
    sql`coalesce((select max(block) from ${sql.table(table)} where ${inWorkspace(workspaceId)}), 0)`;
  const { highest } = await onlyRow(
    client,
    sql<{ readonly highest: number }>`
      select greatest(${highestIn('lead_blocks')}, ${highestIn('dropped_lead_blocks')}) as highest`,
  );
  return highest + 1;
}

export const placeBytes = 24;
const idBytes = 16;

function placesOf(leads: readonly LeadToIndex[]): Buffer {
  const places = Buffer.alloc(leads.length * placeBytes);
  for (const [i, { submissionId, receivedAt }] of leads.entries()) {
    places.write(submissionId.replaceAll('-', ''), i * placeBytes, 'hex');
    places.writeDoubleBE(receivedAt.getTime(), i * placeBytes + idBytes);
  }
  return places;
}

/** A lead as a block names it. */
export interface PlacedLead {
  readonly id: string;
  readonly at: Date;
}

export function placedLead(places: Buffer, place: number): PlacedLead {
  const start = place * placeBytes;
  const hex = places.toString('hex', start, start + idBytes);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  return { id, at: new Date(places.readDoubleBE(start + idBytes)) };
}
