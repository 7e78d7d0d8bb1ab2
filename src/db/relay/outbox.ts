import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import { inShardOf, type LeadRef, listOf } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, onlyRow, rowsOf, run } from '../sql.ts';

/** For a lead that became clean after its commit or is to be enriched again. */
export async function noteForEnrichment(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  const shard = shardOf(workspaceId);
  await run(
    db,
    sql`
      insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids) values
        (${shard}, array[${shard}::smallint], array[${workspaceId}::uuid], array[${submissionId}::uuid])`,
  );
}

/**
 * Turns the notes of up to `notesMax` commits into one job, in one statement, so that a lead is always either noted or in a
 * job. Workers that do this at the same time skip each other's notes. False when no job was added.
 */
export async function turnNotesIntoJob(pool: pg.Pool, notesMax: number): Promise<boolean> {
  const added = await changedBy(
    pool,
    sql`
      with notes as (
        -- In the order of the table, which is roughly that of the commits.
        delete from enrichment_outbox where ctid = any (array(
          select ctid from enrichment_outbox limit ${notesMax} for update skip locked))
        returning shards, workspace_ids, submission_ids
      ), together as (
        -- A commit that was retried has noted its leads twice.
        select json_agg(distinct jsonb_build_array(shard, l.workspace_id, l.submission_id)) as leads
        from notes, unnest(shards, workspace_ids, submission_ids) as i (shard, workspace_id, submission_id)
        join leads l using (shard, workspace_id, submission_id)
        where l.verdict = 'clean'
      )
      select (graphile_worker.add_job('enrich', json_build_object('leads', leads), max_attempts => 10)).id
      from together where leads is not null`,
  );
  return added === 1;
}

/** A node of a cluster. */
export interface NotesOfNode {
  readonly groupId: number;
  readonly shards: readonly number[];
}

/**
 * The same for the notes of one node of a cluster. They are on the node and jobs are on the coordinator, and nothing makes
 * both change together. So the job is committed first, and the notes are deleted afterwards: whoever is killed in between
 * leaves notes that become a second job, which changes nothing, and never a lead without one. A lock keeps workers from
 * adding jobs for the same notes. False when there is nothing to do, or when another worker is doing it.
 */
export async function turnNotesOfNodeIntoJob(
  pool: pg.Pool,
  node: NotesOfNode,
  notesMax: number,
): Promise<boolean> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    const lock = sql`hashtextextended('leadgate enrichment notes ' || ${node.groupId}::int, 0)`;
    const { isLocked } = await onlyRow(
      client,
      sql<{ readonly isLocked: boolean }>`select pg_try_advisory_lock(${lock}) as "isLocked"`,
    );
    if (!isLocked) return false;
    const isAny = await turnIntoJob(client, node, notesMax);
    await run(client, sql`select pg_advisory_unlock(${lock})`);
    return isAny;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // After a failure the connection is closed, and its lock ends with it.
    client.release(failure);
  }
}

interface Note {
  readonly shard: number;
  readonly id: string;
  readonly shards: readonly number[];
  readonly workspaceIds: readonly string[];
  readonly submissionIds: readonly string[];
}

async function turnIntoJob(
  client: pg.PoolClient,
  { shards }: NotesOfNode,
  notesMax: number,
): Promise<boolean> {
  const notes = await rowsOf(
    client,
    sql<Note>`
      select shard, id, shards, workspace_ids::text[] as "workspaceIds", submission_ids::text[] as "submissionIds"
      from enrichment_outbox where shard = any (${shards}::smallint[]) limit ${notesMax}`,
  );
  const leads: LeadRef[] = [];
  for (const ofShard of byShard(leadsIn(notes))) leads.push(...(await cleanOnes(client, ofShard)));
  if (leads.length > 0) await addEnrichJob(client, leads, 0);
  for (const ofShard of byShard(notes)) await deleteNotes(client, ofShard);
  return notes.length > 0;
}

/** A commit that was retried has noted its leads twice. */
function leadsIn(notes: readonly Note[]): LeadRef[] {
  const leads = new Map<string, LeadRef>();
  for (const { shards, workspaceIds, submissionIds } of notes) {
    for (const [i, shard] of shards.entries()) {
      const [workspaceId, submissionId] = [workspaceIds[i] as string, submissionIds[i] as string];
      leads.set(`${workspaceId} ${submissionId}`, { shard, workspaceId, submissionId });
    }
  }
  return [...leads.values()];
}

async function cleanOnes(client: pg.PoolClient, leads: readonly LeadRef[]): Promise<LeadRef[]> {
  return rowsOf(
    client,
    sql<LeadRef>`
      select l.shard, l.workspace_id as "workspaceId", l.submission_id as "submissionId"
      from ${listOf(leads)}
      join leads l using (shard, workspace_id, submission_id)
      where ${inShardOf(leads, 'l')} and l.verdict = 'clean'`,
  );
}

async function deleteNotes(client: pg.PoolClient, notes: readonly Note[]): Promise<void> {
  const shard = notes[0]?.shard;
  const ids = notes.map(({ id }) => id);
  await run(client, sql`delete from enrichment_outbox where shard = ${shard} and id = any (${ids}::uuid[])`);
}

/** For leads whose job could not be done because their node was down. */
export async function addEnrichJob(db: Queryable, leads: readonly LeadRef[], delayMs: number): Promise<void> {
  const tuples = leads.map(({ shard, workspaceId, submissionId }) => [shard, workspaceId, submissionId]);
  await run(
    db,
    sql`
      select graphile_worker.add_job('enrich', ${JSON.stringify({ leads: tuples })}::json,
        run_at => now() + make_interval(secs => ${delayMs} / 1000.0), max_attempts => 10)`,
  );
}

/** In ascending order. */
export function byShard<Row extends { readonly shard: number }>(rows: readonly Row[]): Row[][] {
  const groups = Map.groupBy(rows, ({ shard }) => shard);
  return [...groups].toSorted(([a], [b]) => a - b).map(([, group]) => group);
}
