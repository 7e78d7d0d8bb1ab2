import { type RawBuilder, sql } from 'kysely';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { rowsOf, run } from '../sql.ts';

export interface AuditRecord {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly at: Date;
  /** `nobody`: someone who is not signed in. */
  readonly actorKind: 'person' | 'operator_key' | 'api_key' | 'nobody';
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

/** A stored entry. */
export interface AuditRow extends AuditRecord {
  /** What it names, as it was called when the entry was written: `actor`, `person`, `form` and so on. */
  readonly names: Readonly<Record<string, string>>;
}

export interface AuditFilters {
  /** The id of a person or an API key, `operator_key` or `nobody`. */
  readonly actor?: string | undefined;
  readonly actions?: readonly string[] | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly workspaceId?: string | undefined;
}

const columns = sql`id, workspace_id as "workspaceId", at, actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", action, target, changes, completed, by_operator as "byOperator", address, times, names`;

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
      completed, by_operator, address, times, names)
    values (${id}, ${workspaceId}, ${at}, ${actorKind}, ${actorId}, ${actorName}, ${action},
      ${JSON.stringify(target)}, ${JSON.stringify(changes)}, ${completed}, ${byOperator}, ${address}, ${times},
      ${namesOf(record)})`;
}

/**
 * Read as the entry is written, before anything is removed or renamed. Only what belongs to the workspace: a call may name the id
 * of someone else's person or form, and fail later.
 */
function namesOf({ workspaceId, actorId, action, target, changes }: AuditRecord): RawBuilder<unknown> {
  const formId = target.form_id ?? null;
  const personId = target.person_id ?? changes.person_id ?? null;
  return sql`jsonb_strip_nulls(jsonb_build_object(
    'actor', (select p.name from people p where p.id = ${actorId}),
    'workspace', (select w.name from workspaces w where w.id = ${workspaceId}),
    'person', (select p.name from people p where p.id = ${personId} and (${workspaceId}::uuid is null or exists (
      select from memberships m where m.workspace_id = ${workspaceId} and m.person_id = p.id))),
    'form', (select f.name from forms f where f.workspace_id = ${workspaceId} and f.id = ${formId}),
    'slug', (select f.slug from forms f where ${action}::text = 'changeAForm'
      and f.workspace_id = ${workspaceId} and f.id = ${formId}),
    'token', (select t.name from tokens t where t.workspace_id = ${workspaceId} and t.id = ${target.token_id ?? null}),
    'api_key', (select k.name from api_keys k
      where k.workspace_id = ${workspaceId} and k.id = ${target.api_key_id ?? null}),
    'destination', (select d.name from destinations d
      where d.workspace_id = ${workspaceId} and d.id = ${target.destination_id ?? null}),
    'view', (select v.name from lead_views v
      where v.workspace_id = ${workspaceId} and v.id = ${target.view_id ?? null}),
    'invitation', (select i.email from invitations i
      where i.workspace_id = ${workspaceId} and i.id = ${target.invitation_id ?? null}),
    'webhook_secret', (select 'set' from webhook_secrets s where ${action}::text = 'setOrRotateTheWebhookSecret'
      and s.workspace_id = ${workspaceId} and s.form_id = ${formId} and s.current_ciphertext is not null),
    'mint_secret', (select 'set' from browser_settings b where ${action}::text = 'createOrRotateTheMintSecretOfAForm'
      and b.workspace_id = ${workspaceId} and b.form_id = ${formId} and b.mint_secret_ciphertext is not null)
  ))`;
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
  filters: AuditFilters,
  page: PageRequest,
): Promise<AuditRow[]> {
  return rowsOf(db, newest(sql`workspace_id = ${workspaceId}`, filters, page));
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
  filters: AuditFilters,
  page: PageRequest,
): Promise<AuditRow[]> {
  const { workspaceId } = filters;
  const ofWorkspace = workspaceId === undefined ? sql`true` : sql`workspace_id = ${workspaceId}`;
  return rowsOf(db, newest(sql`by_operator and ${ofWorkspace}`, filters, page));
}

function newest(scope: RawBuilder<unknown>, filters: AuditFilters, { after, limit }: PageRequest) {
  const { actions, from, to } = filters;
  const wanted = sql`${scope} and ${comesAfter(after, 'at', 'id')} and ${byActor(filters.actor)}
    and ${from === undefined ? sql`true` : sql`at >= ${from}`} and ${to === undefined ? sql`true` : sql`at < ${to}`}`;
  const order = sql`order by at desc, id desc limit ${limit}`;
  if (actions === undefined) return sql<AuditRow>`select ${columns} from audit_log where ${wanted} ${order}`;
  // A page of each action from its index: a common one must not be sorted for a rare one, nor searched for it.
  return sql<AuditRow>`select ${columns} from unnest(${actions}::text[]) as named (wanted_action) cross join lateral (
      select * from audit_log where action = wanted_action and ${wanted} ${order}
    ) as entries ${order}`;
}

function byActor(actor: string | undefined): RawBuilder<unknown> {
  if (actor === undefined) return sql`true`;
  const isKind = actor === 'operator_key' || actor === 'nobody';
  return isKind ? sql`actor_id is null and actor_kind = ${actor}` : sql`actor_id = ${actor}`;
}
