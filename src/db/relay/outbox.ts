import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { EventType } from '../../domain/destination/destination.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { LeadRef } from '../leads/lead-ref.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, insertRows, rowsOf, run } from '../sql.ts';

/*
 * Notes say what happened to leads. Commits write one for their leads, in their own transaction; the relay turns notes into
 * enrichment jobs, events and deliveries. A note is about leads of one bucket, and has the shard of any of them.
 */

/** `enrich` is no event: the lead is to be enriched again. */
export type NoteType = Exclude<EventType, 'test'> | 'enrich';

export interface Note {
  readonly shard: number;
  readonly id: string;
  readonly type: NoteType;
  /** Null: when the lead was received. */
  readonly at: Date | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly shards: readonly number[];
  readonly workspaceIds: readonly string[];
  /** Null for an event that is not about a lead. */
  readonly submissionIds: readonly (string | null)[];
}

export interface NewNote extends Pick<Note, 'type'> {
  readonly at?: Date;
  readonly data?: Note['data'];
}

export async function noteLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string | null,
  { type, at, data }: NewNote,
): Promise<void> {
  const shard = shardOf(workspaceId);
  const json = data == null ? null : JSON.stringify(data);
  await run(
    db,
    sql`
      insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids, type, at, data) values
        (${shard}, array[${shard}::smallint], array[${workspaceId}::uuid], array[${submissionId}::uuid],
         ${type}, ${at ?? null}, ${json})`,
  );
}

/** A turn of the relay takes whole notes. */
const leadsPerNote = 50;

interface NewNotes extends Pick<NewNote, 'type' | 'data'> {
  readonly at?: Date | null;
}

/**
 * For several leads of one bucket. On one server all are: a statement and a note for each shard would make the notes of ten
 * leads take longer than the rest of their enrichment.
 */
export async function noteLeads(
  client: pg.PoolClient,
  leads: readonly LeadRef[],
  note: NewNotes,
): Promise<void> {
  await noteTogether(client, [{ ...note, leads }]);
}

/** For leads of one bucket, about which there is different news. */
export async function noteTogether(
  client: pg.PoolClient,
  notes: readonly (NewNotes & { readonly leads: readonly LeadRef[] })[],
): Promise<void> {
  await insertRows(
    client,
    'enrichment_outbox (shard, shards, workspace_ids, submission_ids, type, at, data)',
    notes.flatMap(({ leads, type, at = null, data }) =>
      portionsOf(leads).map((some) => [
        some[0]?.shard,
        some.map(({ shard }) => shard),
        some.map(({ workspaceId }) => workspaceId),
        some.map(({ submissionId }) => submissionId),
        type,
        at,
        data == null ? null : JSON.stringify(data),
      ]),
    ),
  );
}

function portionsOf(leads: readonly LeadRef[]): LeadRef[][] {
  const places = Array.from({ length: Math.ceil(leads.length / leadsPerNote) }, (_, i) => i * leadsPerNote);
  return places.map((place) => leads.slice(place, place + leadsPerNote));
}

const otherNotesMax = 200;
// Of the other notes, which may be about leads that were marked or erased by the thousand. Their events are made at once, while
// senders wait.
const otherLeadsMax = 500;

/** Whether at least so many notes wait that are not of commits. */
export async function areNotesWaiting(db: Queryable, count: number): Promise<boolean> {
  const waiting = sql`select from enrichment_outbox where not (${isCommit}) offset ${count - 1} limit 1`;
  return (await changedBy(db, waiting)) > 0;
}

const isCommit = sql`type = 'lead.accepted'`;

const columns = sql`shard, id, type, at, data, shards, workspace_ids::text[] as "workspaceIds",
  submission_ids::text[] as "submissionIds"`;

/**
 * Deletes up to `notesMax` notes of commits and returns them; once fewer are left, other notes too. So a lead is accepted
 * before anything else happens to it. Of a backlog, only what is taken is read: sorting it would take longer the longer it
 * is, and a relay that fell behind could never catch up. For the same reason more of the other notes are taken at a time:
 * most are about few leads each.
 */
export async function takeNotes(client: pg.PoolClient, notesMax: number): Promise<Note[]> {
  const some = (condition: RawBuilder<unknown>, limit: number) =>
    sql`(select ctid from enrichment_outbox where ${condition} limit ${limit})`;
  const counted = sql`select ctid, sum(cardinality(submission_ids)) over (rows between unbounded preceding and 1 preceding)
    as leads_before from (
      select ctid, submission_ids from enrichment_outbox where not (${isCommit}) limit ${otherNotesMax}) as waiting`;
  const others = sql`select ctid from (${counted}) as others
    where (select count(*) from commits) < ${notesMax} and coalesce(leads_before, 0) < ${otherLeadsMax}`;
  return rowsOf(
    client,
    sql<Note>`
      with commits as materialized ${some(isCommit, notesMax)}
      delete from enrichment_outbox where ctid = any (array(select ctid from commits union all ${others}))
      returning ${columns}`,
  );
}

/**
 * The same without deleting them, for the shards of a node. Commits are read again after other notes, which may be about
 * leads that were accepted in between.
 */
export async function readNotes(
  client: pg.PoolClient,
  shards: readonly number[],
  notesMax: number,
): Promise<Note[]> {
  const some = (condition: RawBuilder<unknown>, limit: number) =>
    rowsOf(
      client,
      sql<Note>`
        select ${columns} from enrichment_outbox where shard = any (${shards}::smallint[]) and ${condition}
        limit ${limit}`,
    );
  const first = await some(isCommit, notesMax);
  const others = first.length < notesMax ? firstOf(await some(sql`not (${isCommit})`, otherNotesMax)) : [];
  if (others.length === 0) return first;
  const commits = await some(isCommit, notesMax);
  return commits.length < notesMax ? [...commits, ...others] : commits;
}

/** As many as are about `otherLeadsMax` leads together. */
function firstOf(notes: readonly Note[]): Note[] {
  let leads = 0;
  return notes.filter(({ submissionIds }) => {
    const isWithin = leads < otherLeadsMax;
    leads += submissionIds.length;
    return isWithin;
  });
}

/** Notes of one shard. Returns those that were still there: while a bucket moves, the relays of two nodes may see it. */
export async function deleteNotes(client: pg.PoolClient, notes: readonly Note[]): Promise<Note[]> {
  const shard = notes[0]?.shard;
  const ids = notes.map(({ id }) => id);
  const deleted = await rowsOf(
    client,
    sql<Pick<Note, 'id'>>`
      delete from enrichment_outbox where shard = ${shard} and id = any (${ids}::uuid[]) returning id`,
  );
  const deletedIds = new Set(deleted.map(({ id }) => id));
  return notes.filter(({ id }) => deletedIds.has(id));
}
