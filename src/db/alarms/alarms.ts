import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type {
  Alarm,
  AlarmEnd,
  AlarmKind,
  AlarmNames,
  AlarmSeverity,
  Evidence,
  Finding,
} from '../../domain/alarm/alarm.ts';
import { comesAfter, type PageRequest } from '../keyset.ts';
import type { Queryable } from '../pool.ts';
import { allOf, changedBy, firstRow, rowsOf, run } from '../sql.ts';

/** Of `alarms a`. */
const columns = sql`a.id, a.workspace_id as "workspaceId", a.kind, a.severity, a.form_id as "formId",
  a.token_id as "tokenId", a.destination_id as "destinationId", a.reason, a.names, a.evidence,
  a.opened_at as "openedAt", a.last_at as "lastAt", a.closed_at as "closedAt", a.closed_as as "closedAs",
  a.acknowledged_at as "acknowledgedAt", a.acknowledged_by as "acknowledgedBy", a.reminders`;

/** Null is the whole instance. */
export type AlarmScope = string | null;

export function inScope(scope: AlarmScope): RawBuilder<boolean> {
  return scope === null ? sql`workspace_id is null` : sql`workspace_id = ${scope}`;
}

/** Of all workspaces and of the instance. */
export async function listOpenAlarms(db: Queryable): Promise<Alarm[]> {
  return rowsOf(
    db,
    sql<Alarm>`select ${columns} from alarms a where closed_at is null order by opened_at, id`,
  );
}

export interface AlarmFilter {
  readonly state: 'open' | 'closed' | 'all';
  readonly kind?: AlarmKind | undefined;
  readonly formId?: string | undefined;
}

export async function listAlarms(
  db: Queryable,
  scope: AlarmScope,
  { state, kind, formId }: AlarmFilter,
  { after, limit }: PageRequest,
): Promise<Alarm[]> {
  const conditions = [inScope(scope), comesAfter(after, 'opened_at', 'id')];
  if (state === 'open') conditions.push(sql`closed_at is null`);
  if (state === 'closed') conditions.push(sql`closed_at is not null`);
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`);
  if (formId !== undefined) conditions.push(sql`form_id = ${formId}`);
  return rowsOf(
    db,
    sql<Alarm>`select ${columns} from alarms a where ${allOf(conditions)}
      order by opened_at desc, id desc limit ${limit}`,
  );
}

export async function findAlarm(db: Queryable, scope: AlarmScope, alarmId: string): Promise<Alarm | null> {
  return firstRow(
    db,
    sql<Alarm>`select ${columns} from alarms a where ${inScope(scope)} and id = ${alarmId}`,
  );
}

export async function listAlarmsById(db: Queryable, alarmIds: readonly string[]): Promise<Alarm[]> {
  return rowsOf(
    db,
    sql<Alarm>`select ${columns} from alarms a where id = any (${alarmIds}::uuid[]) order by opened_at, id`,
  );
}

export interface NewAlarm extends Finding {
  readonly id: string;
  readonly names: AlarmNames;
  readonly openedAt: Date;
}

/** Null if there is an open one about the same. */
export async function openAlarm(client: pg.PoolClient, alarm: NewAlarm): Promise<Alarm | null> {
  const { id, workspaceId, kind, severity, formId, tokenId, destinationId, reason, openedAt } = alarm;
  return firstRow(
    client,
    sql<Alarm>`
      insert into alarms as a (id, workspace_id, kind, severity, form_id, token_id, destination_id, reason, names, evidence,
        opened_at, last_at)
      values (${id}, ${workspaceId}, ${kind}, ${severity}, ${formId}, ${tokenId}, ${destinationId}, ${reason},
        ${JSON.stringify(alarm.names)}, ${JSON.stringify(alarm.evidence)}, ${openedAt}, ${openedAt})
      on conflict do nothing returning ${columns}`,
  );
}

export interface AlarmUpdate {
  readonly id: string;
  readonly severity: AlarmSeverity;
  readonly names: AlarmNames;
  readonly evidence: Evidence;
}

export async function updateAlarms(
  client: pg.PoolClient,
  updates: readonly AlarmUpdate[],
  at: Date,
): Promise<Alarm[]> {
  return rowsOf(
    client,
    sql<Alarm>`
      update alarms a set severity = u.severity, names = u.names, evidence = u.evidence, last_at = ${at}
      from jsonb_to_recordset(${JSON.stringify(updates)})
        as u (id uuid, severity text, names jsonb, evidence jsonb)
      where a.id = u.id and a.closed_at is null
      returning ${columns}`,
  );
}

/** Those that were still open. */
export async function closeAlarms(
  client: pg.PoolClient,
  alarmIds: readonly string[],
  as: AlarmEnd,
  at: Date,
): Promise<Alarm[]> {
  return rowsOf(
    client,
    sql<Alarm>`
      update alarms a set closed_at = ${at}, closed_as = ${as}
      where id = any (${alarmIds}::uuid[]) and closed_at is null
      returning ${columns}`,
  );
}

/** Null if someone else has reminded, or nobody is to be reminded any more. */
export async function countReminder(
  client: pg.PoolClient,
  { id, reminders }: Pick<Alarm, 'id' | 'reminders'>,
  count: number,
): Promise<Alarm | null> {
  return firstRow(
    client,
    sql<Alarm>`
      update alarms a set reminders = ${count}
      where id = ${id} and reminders = ${reminders} and closed_at is null and acknowledged_at is null
      returning ${columns}`,
  );
}

/** False if there is no such alarm. The first who acknowledges it stays; one that is closed stays as it is. */
export async function acknowledgeAlarm(
  db: Queryable,
  scope: AlarmScope,
  alarmId: string,
  { at, by }: { readonly at: Date; readonly by: string },
): Promise<boolean> {
  const acknowledged = await changedBy(
    db,
    sql`
      update alarms set acknowledged_at = ${at}, acknowledged_by = ${by}
      where ${inScope(scope)} and id = ${alarmId} and acknowledged_at is null and closed_at is null`,
  );
  return acknowledged === 1 || (await findAlarm(db, scope, alarmId)) !== null;
}

/** With their notices. */
export async function deleteOldAlarms(db: Queryable, before: number, rowsMax: number): Promise<void> {
  const at = new Date(before);
  await run(
    db,
    sql`delete from alarms where id = any (array(
        select id from alarms where closed_at < ${at} limit ${rowsMax} for update skip locked))`,
  );
  await run(
    db,
    sql`delete from alarm_notices where id = any (array(
        select id from alarm_notices where alarm_id is null and at < ${at}
        limit ${rowsMax} for update skip locked))`,
  );
}
