import type { PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';

export interface AuditRecord {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly at: Date;
  /** `nobody`: somebody who was not signed in. */
  readonly actorKind: 'person' | 'operator_key' | 'nobody';
  readonly actorId: string | null;
  readonly actorName: string;
  readonly action: string;
  /** Ids of what was changed, by their names in the path of the call. */
  readonly target: Readonly<Record<string, string>>;
  readonly changes: Readonly<Record<string, unknown>>;
  readonly completed: boolean;
  /** Of a call that only an operator may make, or an event that concerns no workspace. */
  readonly byOperator: boolean;
  /** Where it came from; null where that is not known. */
  readonly address: string | null;
  /** How often, for events that are kept as one row. */
  readonly times: number;
}

const columns = `id, workspace_id as "workspaceId", at, actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", action, target, changes, completed, by_operator as "byOperator", address, times`;

export async function insertAudit(db: Queryable, record: AuditRecord): Promise<void> {
  await db.query(insertion, valuesOf(record));
}

/** An event; one that has a row already is counted there. */
export async function countEvent(db: Queryable, record: AuditRecord): Promise<void> {
  await db.query(
    `${insertion} on conflict (id) do update set times = audit_log.times + excluded.times`,
    valuesOf(record),
  );
}

const insertion = `insert into audit_log (id, workspace_id, at, actor_kind, actor_id, actor_name, action, target, changes,
    completed, by_operator, address, times)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`;

function valuesOf(record: AuditRecord): unknown[] {
  const { id, workspaceId, at, actorKind, actorId, actorName, action, target, changes } = record;
  const { completed, byOperator, address, times } = record;
  const json = [JSON.stringify(target), JSON.stringify(changes)];
  const actor = [actorKind, actorId, actorName];
  return [id, workspaceId, at, ...actor, action, ...json, completed, byOperator, address, times];
}

/** `target` is added to what the row names already: the id of what was made is known only now. */
export async function completeAudit(
  db: Queryable,
  id: string,
  target: Readonly<Record<string, string>>,
): Promise<void> {
  await db.query('update audit_log set completed = true, target = target || $2 where id = $1', [
    id,
    JSON.stringify(target),
  ]);
}

/** For a call that was refused and so has changed nothing. */
export async function withdrawAudit(db: Queryable, id: string): Promise<void> {
  await db.query('delete from audit_log where id = $1', [id]);
}

export async function listAudit(
  db: Queryable,
  workspaceId: string,
  { after, limit }: PageRequest,
): Promise<AuditRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from audit_log
     where workspace_id = $1 and ($2::timestamptz is null or (at, id) < ($2, $3::uuid))
     order by at desc, id desc limit $4`,
    [workspaceId, after?.at, after?.id, limit],
  );
  return rows;
}

/** The newest entries that name a lead, oldest first. */
export async function listAuditOfLead(
  db: Queryable,
  workspaceId: string,
  submissionId: string,
  limit: number,
): Promise<AuditRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from audit_log
     where workspace_id = $1 and target ? 'submission_id' and target ->> 'submission_id' = $2
     order by at desc limit $3`,
    [workspaceId, submissionId, limit],
  );
  return rows.toReversed();
}

/** Whatever workspace they concern, if any. */
export async function listOperatorAudit(
  db: Queryable,
  { after, limit }: PageRequest,
): Promise<AuditRecord[]> {
  const { rows } = await db.query(
    `select ${columns} from audit_log
     where by_operator and ($1::timestamptz is null or (at, id) < ($1, $2::uuid))
     order by at desc, id desc limit $3`,
    [after?.at, after?.id, limit],
  );
  return rows;
}
