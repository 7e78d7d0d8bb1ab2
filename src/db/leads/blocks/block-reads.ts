import { sql } from 'kysely';
import type { GramRange } from '../../../domain/lead/blocks/grams.ts';
import { shardOf } from '../../../domain/workspace.ts';
import type { Queryable } from '../../pool.ts';
import { inWorkspace } from '../../sharded.ts';
import { rowsOf } from '../../sql.ts';
import { type Block, type PlacedLead, placeBytes, placedLead } from './block-rows.ts';

export interface GramRow {
  readonly block: number;
  readonly gram: number;
  readonly leads: Buffer;
}

export async function readGrams(
  db: Queryable,
  workspaceId: string,
  blocks: readonly number[],
  ranges: readonly GramRange[],
): Promise<GramRow[]> {
  const rows = sql`select block, gram, leads from lead_grams
    where ${inWorkspace(workspaceId)} and block = any (${blocks}::int[])`;
  const single = ranges.filter(({ first, last }) => first === last).map(({ first }) => first);
  const wide = ranges.filter(({ first, last }) => first < last);
  const parts = [
    sql`${rows} and gram = any (${single}::int[])`,
    ...wide.map(({ first, last }) => sql`${rows} and gram between ${first} and ${last}`),
  ];
  return rowsOf(db, sql<GramRow>`${sql.join(parts, sql` union all `)}`);
}

/** The places of all leads of a block. */
export async function readBlockPlaces(
  db: Queryable,
  workspaceId: string,
  { from }: Block,
): Promise<PlacedLead[]> {
  const [row] = await rowsOf(
    db,
    sql<{ readonly places: Buffer }>`
      select places from lead_blocks where ${inWorkspace(workspaceId)} and from_at = ${from}`,
  );
  const places = row?.places ?? Buffer.alloc(0);
  return Array.from({ length: places.length / placeBytes }, (_, place) => placedLead(places, place));
}

/** A lead by its place in a block. */
export interface PlaceInBlock {
  readonly block: Block;
  readonly place: number;
}

/** In the order of the places. */
export async function readPlaces(
  db: Queryable,
  workspaceId: string,
  places: readonly PlaceInBlock[],
): Promise<PlacedLead[]> {
  const froms = places.map(({ block }) => block.from);
  const numbers = places.map(({ place }) => place);
  const rows = await rowsOf(
    db,
    sql<{ readonly found: Buffer }>`
      select substring(b.places from asked.place * ${placeBytes} + 1 for ${placeBytes}) as found
      from unnest(${froms}::timestamptz[], ${numbers}::int[]) with ordinality as asked (from_at, place, number)
      join lead_blocks b on b.shard = ${shardOf(workspaceId)} and b.workspace_id = ${workspaceId}
        and b.from_at = asked.from_at
      order by asked.number`,
  );
  return rows.map(({ found }) => placedLead(found, 0));
}

export interface PieceRow {
  readonly block: number;
  readonly firstKey: Buffer;
  readonly piece: number;
  /** A list as JSON. */
  readonly keys: string;
  readonly places: Buffer;
}

const pieceColumns = sql`block, first_key as "firstKey", piece, keys, places`;

/** From where a run is read. */
export interface RunStart {
  readonly block: number;
  /** Equal keys count as before it. */
  readonly isPastEqual: boolean;
}

/**
 * For each block, the first piece of its run that has keys after `key`, in the direction of reading; the first of all if the
 * key is null. It may begin with keys before it.
 */
export async function readFirstPieces(
  db: Queryable,
  workspaceId: string,
  columnId: string,
  {
    starts,
    key,
    isAscending,
  }: { readonly starts: readonly RunStart[]; readonly key: string | null; readonly isAscending: boolean },
): Promise<PieceRow[]> {
  const shard = shardOf(workspaceId);
  const ofRun = sql`shard = ${shard} and workspace_id = ${workspaceId} and block = start.block
    and column_id = ${columnId}::bigint`;
  const lowest = sql`(select ${pieceColumns}, 2 as choice from lead_runs where ${ofRun} order by first_key, piece limit 1)`;
  const highest = sql`(select ${pieceColumns}, 2 as choice from lead_runs where ${ofRun}
    order by first_key desc, piece desc limit 1)`;
  const limit = key === null ? null : Buffer.from(key);
  const below = (orEqual: boolean) => sql`(select ${pieceColumns}, 1 as choice from lead_runs
    where ${ofRun} and first_key ${orEqual ? sql`<=` : sql`<`} ${limit}::bytea
      and start.is_past_equal = ${isAscending ? orEqual : !orEqual}
    order by first_key desc, piece desc limit 1)`;
  const choices =
    key === null
      ? isAscending
        ? lowest
        : highest
      : isAscending
        ? sql`${below(true)} union all ${below(false)} union all ${lowest}`
        : sql`${below(true)} union all ${below(false)}`;
  const blocks = starts.map(({ block }) => block);
  const past = starts.map(({ isPastEqual }) => isPastEqual);
  return rowsOf(
    db,
    sql<PieceRow>`
      select found.block, found."firstKey", found.piece, found.keys, found.places
      from unnest(${blocks}::int[], ${past}::boolean[]) as start (block, is_past_equal)
      cross join lateral (select * from (${choices}) as choices order by choice limit 1) as found`,
  );
}

/** The pieces after one. */
export async function readNextPieces(
  db: Queryable,
  workspaceId: string,
  columnId: string,
  { block, firstKey, piece }: PieceRow,
  { isAscending, pieces }: { readonly isAscending: boolean; readonly pieces: number },
): Promise<PieceRow[]> {
  const direction = isAscending ? sql`asc` : sql`desc`;
  return rowsOf(
    db,
    sql<PieceRow>`
      select ${pieceColumns} from lead_runs
      where ${inWorkspace(workspaceId)} and block = ${block} and column_id = ${columnId}::bigint
        and (first_key, piece) ${isAscending ? sql`>` : sql`<`} (${firstKey}::bytea, ${piece}::smallint)
      order by first_key ${direction}, piece ${direction} limit ${pieces}`,
  );
}
