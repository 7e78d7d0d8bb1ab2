import type pg from 'pg';

/**
 * Turns the notes of up to `notesMax` commits into one job; in one statement, so that a lead is either still
 * noted or already in a job. Workers that do this side by side skip each other's notes. False when there is none.
 */
export async function turnNotesIntoJob(pool: pg.Pool, notesMax: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    `with notes as (
       delete from enrichment_outbox where id = any (array(
         select id from enrichment_outbox order by id limit $1 for update skip locked))
       returning leads
     ), together as (
       select json_agg(lead) as leads from notes, json_array_elements(notes.leads) lead
     )
     select (graphile_worker.add_job('enrich', json_build_object('leads', leads), max_attempts => 10)).id
     from together where leads is not null`,
    [notesMax],
  );
  return rowCount === 1;
}
