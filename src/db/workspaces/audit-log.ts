import { sql } from 'kysely';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf, run } from '../sql.ts';

export interface AuditRecord {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly at: Date;
  /** `nobody`: someone who is not signed in. */
  readonly actorKind: 'person' | 'operator_key' | 'nobody';
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  /** The ids of what was changed, by their parameter names in the path. */
  readonly target: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly completed: boolean;
  /** True for a call that only operators may make, or an event outside of any workspace. */
  readonly byOperator: boolean;
  /** The IP address of the caller; null if unknown. */
  readonly address: string | null;
  /** How often, for events that share a row. */
  readonly times: number;
}

const columns = sql`id, workspace_id as "workspaceId", at, actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", action, target, changes, completed, by_operator as "byOperator", address, times`;

export async function insertAudit(db: Queryable, record: AuditRecord): Promise<void> {
  await run(db, insertionOf(record));
}

/** Inserts an event, or counts it if it already has a row. */
export async function countEvent(db: Queryable, record: AuditRecord): Promise<void> {
  await run(
    db,
    sql`${insertionOf(record)} on conflict (id) do update set times = audit_log.times + excluded.times`,
  );
}

function insertionOf(record: AuditRecord) {
  const { id, workspaceId, at, actorKind, actorId, actorName, action, target, changes } = record;
  const { completed, byOperator, address, times } = record;
  return sql`insert into audit_log (id, workspace_id, at, actor_kind, actor_id, actor_name, action, target, changes,
      completed, by_operator, address, times)
    values (${id}, ${workspaceId}, ${at}, ${actorKind}, ${actorId}, ${actorName}, ${action},
      ${JSON.stringify(target)}, ${JSON.stringify(changes)}, ${completed}, ${byOperator}, ${address}, ${times})`;
}

/** Adds `target` to the row, because the id of something new is known only now. */
export async function completeAudit(
  db: Queryable,
  id: string,
  target: Readonly<Record<string, string>>,
): Promise<void> {
  await run(
    db,
    sql`update audit_log set completed = true, target = target || ${JSON.stringify(target)}::jsonb
      where id = ${id}`,
  );
}

/** For a call that was refused and therefore changed nothing. */
export async function withdrawAudit(db: Queryable, id: string): Promise<void> {
  await run(db, sql`delete from audit_log where id = ${id}`);
}

export async function listAudit(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<AuditRecord[]> {
  return rowsOf(
    db,
    sql<AuditRecord>`select ${columns} from audit_log
      where workspace_id = ${workspaceId} and ${comesAfter(after, 'at', 'id')}
      order by at desc, id desc limit ${limit}`,
  );
}

/** The newest entries that name a lead, oldest first. */
export async function listAuditOfLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
  limit: number,
): Promise<AuditRecord[]> {
  const newestFirst = await rowsOf(
    db,
    sql<AuditRecord>`select ${columns} from audit_log
      where workspace_id = ${workspaceId} and target ? 'submission_id'
        and target ->> 'submission_id' = ${submissionId}
      order by at desc limit ${limit}`,
  );
  return newestFirst.toReversed();
}

/** Entries of operators, in all workspaces or none. */
export async function listOperatorAudit(
  db: Queryable,
  { after, limit }: PageRequest,
): Promise<AuditRecord[]> {
  return rowsOf(
    db,
    sql<AuditRecord>`select ${columns} from audit_log
      where by_operator and ${comesAfter(after, 'at', 'id')}
      order by at desc, id desc limit ${limit}`,
  );
}
