import { sql } from 'kysely';
import type pg from 'pg';
import type { AlarmSeverity, AlarmSubject } from '../../domain/alarm/alarm.ts';
import type { EmailState, NoticeState, NoticeWhat } from '../../domain/alarm/notice.ts';
import type { ToldContent } from '../../domain/alarm/told.ts';
import type { Queryable } from '../pool.ts';
import { firstRow, onlyRow, rowsOf, run } from '../sql.ts';
import { type AlarmScope, inScope } from './alarms.ts';

export interface NewNotice {
  readonly id: string;
  readonly workspaceId: AlarmScope;
  /** Null for a digest. */
  readonly alarmId: string | null;
  readonly what: NoticeWhat;
  readonly at: Date;
  readonly state: NoticeState;
  readonly digestAt: Date | null;
  readonly content: ToldContent | null;
  readonly emailState: EmailState;
}

export async function insertNotice(client: pg.PoolClient, notice: NewNotice): Promise<void> {
  const { id, workspaceId, alarmId, what, at, state, digestAt, content, emailState } = notice;
  const json = content === null ? null : JSON.stringify(content);
  await run(
    client,
    sql`
      insert into alarm_notices (id, workspace_id, alarm_id, what, at, state, digest_at, content, email_state,
        email_next_at)
      values (${id}, ${workspaceId}, ${alarmId}, ${what}, ${at}, ${state}, ${digestAt}, ${json}, ${emailState},
        ${emailState === 'due' ? at : null})`,
  );
}

/** How many messages there were since then, digests included. */
export async function countTold(client: pg.PoolClient, scope: AlarmScope, since: Date): Promise<number> {
  const { count } = await onlyRow(
    client,
    sql<{ readonly count: number }>`
      select count(*) as count from alarm_notices where ${inScope(scope)} and at > ${since} and state = 'told'`,
  );
  return count;
}

/** When someone was last told of another alarm about the same, if only in a digest; null for not since then. */
export async function findToldBefore(
  client: pg.PoolClient,
  { id, workspaceId, kind, formId, tokenId, destinationId, reason }: AlarmSubject & { readonly id: string },
  severities: readonly AlarmSeverity[],
  since: Date,
): Promise<Date | null> {
  const { at } = await onlyRow(
    client,
    sql<{ readonly at: Date | null }>`
      with told as (
        select alarm_id, content, at from alarm_notices
        where ${inScope(workspaceId)} and at > ${since} and state = 'told'),
      named as (
        select alarm_id as id, at from told where alarm_id is not null
        union all
        select (listed ->> 'id')::uuid, at from told, jsonb_array_elements(content -> 'alarms') as listed
        where alarm_id is null)
      select max(named.at) as at from named join alarms a on a.id = named.id
      where a.id <> ${id} and a.kind = ${kind} and a.severity = any (${severities}::text[])
        and a.form_id is not distinct from ${formId}::uuid and a.token_id is not distinct from ${tokenId}::uuid
        and a.destination_id is not distinct from ${destinationId}::uuid
        and a.reason is not distinct from ${reason}::text`,
  );
  return at;
}

/** Of these alarms, those that someone was told about, if only in a digest. */
export async function listTold(client: pg.PoolClient, alarmIds: readonly string[]): Promise<Set<string>> {
  const rows = await rowsOf(
    client,
    sql<{ readonly id: string }>`
      select distinct alarm_id as id from alarm_notices
      where alarm_id = any (${alarmIds}::uuid[]) and state in ('told', 'digested')`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Forgets what was to be in a digest, because it is told now. */
export async function deleteCollected(client: pg.PoolClient, alarmId: string): Promise<void> {
  await run(client, sql`delete from alarm_notices where alarm_id = ${alarmId} and state = 'collected'`);
}

/** Where a digest is due. */
export async function listScopesWithDigest(db: Queryable, now: Date): Promise<AlarmScope[]> {
  const rows = await rowsOf(
    db,
    sql<{ readonly scope: AlarmScope }>`
      select distinct workspace_id as scope from alarm_notices where state = 'collected' and digest_at <= ${now}`,
  );
  return rows.map(({ scope }) => scope);
}

export interface CollectedNotice {
  readonly id: string;
  readonly alarmId: string;
}

export async function listCollected(
  client: pg.PoolClient,
  scope: AlarmScope,
  now: Date,
): Promise<CollectedNotice[]> {
  return rowsOf(
    client,
    sql<CollectedNotice>`
      select id, alarm_id as "alarmId" from alarm_notices
      where ${inScope(scope)} and state = 'collected' and digest_at <= ${now} for update`,
  );
}

export async function markCollected(
  client: pg.PoolClient,
  noticeIds: readonly string[],
  state: 'digested' | 'muted',
  digestId: string | null,
): Promise<void> {
  await run(
    client,
    sql`
      update alarm_notices set state = ${state}, digest_id = ${digestId}
      where id = any (${noticeIds}::uuid[]) and state = 'collected'`,
  );
}

export interface ListedNotice {
  readonly what: NoticeWhat;
  readonly at: Date;
  readonly state: NoticeState;
  readonly emailState: EmailState;
  readonly emailsSent: number;
}

const noticesMax = 200;

/** The newest first. One that was in a digest has the emails of the digest. */
export async function listNotices(db: Queryable, alarmId: string): Promise<ListedNotice[]> {
  return rowsOf(
    db,
    sql<ListedNotice>`
      select n.what, n.at, n.state, coalesce(d.email_state, n.email_state) as "emailState",
        cardinality(coalesce(d.emailed_to, n.emailed_to)) as "emailsSent"
      from alarm_notices n left join alarm_notices d on d.id = n.digest_id
      where n.alarm_id = ${alarmId} order by n.at desc, n.id desc limit ${noticesMax}`,
  );
}

export interface DueEmail {
  readonly id: string;
  readonly workspaceId: AlarmScope;
  /** Null for the instance. */
  readonly workspaceName: string | null;
  readonly what: NoticeWhat;
  readonly at: Date;
  readonly content: ToldContent;
  /** With this one. */
  readonly attempts: number;
  readonly emailedTo: readonly string[];
  readonly refusedBy: readonly string[];
}

/** The one that has been due longest. Nobody else gets it until `retryAt`. */
export async function claimEmail(db: Queryable, now: Date, retryAt: Date): Promise<DueEmail | null> {
  return firstRow(
    db,
    sql<DueEmail>`
      update alarm_notices n set email_attempts = n.email_attempts + 1, email_next_at = ${retryAt}
      where n.id = (
        select id from alarm_notices where email_state = 'due' and email_next_at <= ${now}
        order by email_next_at limit 1 for update skip locked)
      returning n.id, n.workspace_id as "workspaceId", n.what, n.at, n.content, n.email_attempts as attempts,
        (select name from workspaces where id = n.workspace_id) as "workspaceName",
        n.emailed_to as "emailedTo", n.refused_by as "refusedBy"`,
  );
}

/** One person has it, or never will. The others follow, so the claim is extended. */
export async function saveEmailed(
  db: Queryable,
  noticeId: string,
  personId: string,
  { isAccepted, retryAt }: { readonly isAccepted: boolean; readonly retryAt: Date },
): Promise<void> {
  const column = isAccepted ? 'emailed_to' : 'refused_by';
  await run(
    db,
    sql`
      update alarm_notices set ${sql.ref(column)} = array_append(${sql.ref(column)}, ${personId}::uuid),
        email_next_at = ${retryAt}
      where id = ${noticeId} and email_state = 'due' and not ${personId}::uuid = any (${sql.ref(column)})`,
  );
}

export async function retryEmail(db: Queryable, noticeId: string, at: Date): Promise<void> {
  await run(db, sql`update alarm_notices set email_next_at = ${at} where id = ${noticeId}`);
}

export async function endEmail(
  db: Queryable,
  noticeId: string,
  state: Exclude<EmailState, 'due'>,
): Promise<void> {
  await run(
    db,
    sql`update alarm_notices set email_state = ${state}, email_next_at = null where id = ${noticeId}`,
  );
}

export interface AlarmRecipient {
  readonly id: string;
  readonly email: string;
}

/** The owners of the workspace, or the operators of the instance, as they are now. */
export async function listAlarmRecipients(db: Queryable, scope: AlarmScope): Promise<AlarmRecipient[]> {
  return rowsOf(
    db,
    scope === null
      ? sql<AlarmRecipient>`select id, email from people where operator order by email`
      : sql<AlarmRecipient>`
          select p.id, p.email from memberships m join people p on p.id = m.person_id
          where m.workspace_id = ${scope} and m.role = 'owner' order by p.email`,
  );
}
