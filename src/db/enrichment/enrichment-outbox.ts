import { sql } from 'kysely';
import type pg from 'pg';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, run } from '../sql.ts';

/** For a lead that became clean after its commit or is to be enriched again. */
export async function noteForEnrichment(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
): Promise<void> {
  await run(
    db,
    sql`
      insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids) values
        (${shardOf(workspaceId)}, array[${shardOf(workspaceId)}::smallint], array[${workspaceId}::uuid],
         array[${submissionId}::uuid])`,
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
        delete from enrichment_outbox where id = any (array(
          select id from enrichment_outbox order by id limit ${notesMax} for update skip locked))
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
