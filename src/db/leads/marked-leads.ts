import { sql } from 'kysely';
import type { Mark } from '../../domain/lead/mark.ts';
import type { StoredReason } from '../../domain/score/stored-reasons.ts';
import type { Surface } from '../../domain/surface.ts';
import { shardOf } from '../../domain/workspace.ts';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isShardOf } from '../sharded.ts';
import { rowsOf } from '../sql.ts';
import { fieldsOf, withReasons } from './lead-content.ts';

/** Who marks count of: members, programs with a valid key, and the operator. Their names are those in `lead_marks`. */
export async function listMarkers(db: Queryable, workspaceId: string, now: Date): Promise<string[]> {
  const rows = await rowsOf(
    db,
    sql<{ readonly name: string }>`
      select p.email as name from memberships m join people p on p.id = m.person_id
      where m.workspace_id = ${workspaceId}
      union select 'API key ' || name from api_keys
      where workspace_id = ${workspaceId} and revoked_at is null and (expires_at is null or expires_at > ${now})
      union select 'operator'`,
  );
  return rows.map(({ name }) => name);
}

/** The latest mark of a lead. */
interface MarkRow {
  readonly submissionId: string;
  readonly mark: Mark;
  readonly markedAt: Date;
  readonly markedBy: string;
}

const marksPerPersonRead = 5_000;
const marksPerPersonMax = 1_000;

/** The newest leads of a form that each of these people was the last to mark, if that was after `since`. */
export async function listMarkedLeads(
  db: Queryable,
  workspaceId: string,
  formId: string,
  { markers, since }: { readonly markers: readonly string[]; readonly since: Date | null },
): Promise<MarkRow[]> {
  const ofShard = isShardOf(workspaceId, 'm');
  return rowsOf(
    db,
    sql<MarkRow>`
      select found.submission_id as "submissionId", found.mark, found.marked_at as "markedAt",
        found.marked_by as "markedBy"
      from unnest(${markers}::text[]) as p (name)
      cross join lateral (
        select m.submission_id, m.mark, m.marked_at, m.marked_by
        from (
          select * from lead_marks m
          where ${ofShard} and m.workspace_id = ${workspaceId} and m.marked_by = p.name
            and m.marked_at > ${since ?? new Date(0)}
          order by m.marked_at desc limit ${marksPerPersonRead}) as m
        join leads l on ${isShardOf(workspaceId, 'l')} and l.workspace_id = m.workspace_id
          and l.submission_id = m.submission_id
        where m.mark is not null and l.form_id = ${formId} and not exists (
          select from lead_marks later
          where ${isShardOf(workspaceId, 'later')} and later.workspace_id = m.workspace_id
            and later.submission_id = m.submission_id and later.number > m.number)
        order by m.marked_at desc, m.submission_id limit ${marksPerPersonMax}) as found`,
  );
}

/** What is read of a lead to learn from it. */
export interface LeadToLearn {
  readonly submissionId: string;
  readonly fieldsText: string;
  readonly surface: Surface;
  readonly reasons: readonly StoredReason[];
}

// The scorer reads no more than half of this, and a page of leads has to fit in memory.
const bodyBytesMax = 16_384;
const toLearn = sql`submission_id as "submissionId", ${fieldsOf('leads')}::text as "fieldsText", surface, reasons`;

export async function readLeadsToLearn(
  db: Queryable,
  workspaceId: string,
  submissionIds: readonly string[],
): Promise<LeadToLearn[]> {
  const rows = await rowsOf(
    db,
    sql<LeadToLearn>`select ${toLearn} from leads
      where ${inWorkspace(workspaceId)} and submission_id = any (${submissionIds}::uuid[])
        and octet_length(body) <= ${bodyBytesMax}`,
  );
  return rows.map(withReasons);
}

/** The newest leads of a form that were scored as clean and that nobody has marked. */
export async function readUsualLeads(
  db: Queryable,
  workspaceId: string,
  formId: string,
  limit: number,
): Promise<LeadToLearn[]> {
  const rows = await rowsOf(
    db,
    sql<LeadToLearn>`select ${toLearn} from leads
      where shard = ${shardOf(workspaceId)} and workspace_id = ${workspaceId} and form_id = ${formId}
        and verdict = 'clean' and scored_verdict is null and octet_length(body) <= ${bodyBytesMax}
      order by received_at desc, submission_id desc limit ${limit}`,
  );
  return rows.map(withReasons);
}
