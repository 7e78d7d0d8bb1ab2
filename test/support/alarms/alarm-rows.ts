import { randomUUIDv7 } from 'node:crypto';
import type pg from 'pg';
import type { Alarm, AlarmNames } from '../../../src/domain/alarm/alarm.ts';

type AlarmRow = Partial<Omit<Alarm, 'names'>> & { readonly names?: AlarmNames };

/** An alarm as the service writes it. Returns its id. */
export async function addAlarm(pool: pg.Pool, workspaceId: string | null, row: AlarmRow): Promise<string> {
  const id = randomUUIDv7();
  const { kind = 'silence', severity = 'high', reason = null, evidence = {}, names = {} } = row;
  const { formId = null, tokenId = null, destinationId = null } = row;
  const { openedAt = new Date(), closedAt = null, closedAs = null } = row;
  const { acknowledgedAt = null, acknowledgedBy = null } = row;
  await pool.query(
    `insert into alarms (id, workspace_id, kind, severity, form_id, token_id, destination_id, reason, names, evidence,
       opened_at, last_at, closed_at, closed_as, acknowledged_at, acknowledged_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
    [
      ...[id, workspaceId, kind, severity, formId, tokenId, destinationId, reason, names, evidence],
      ...[openedAt, row.lastAt ?? closedAt ?? new Date(), closedAt, closedAs, acknowledgedAt, acknowledgedBy],
    ],
  );
  return id;
}

interface NoticeRow {
  readonly what: 'opened' | 'reminder' | 'closed';
  readonly at: Date;
  readonly state: 'told' | 'collected' | 'digested' | 'muted';
  readonly emailState?: 'none' | 'due' | 'sent' | 'failed';
  /** How many people have it. */
  readonly emails?: number;
}

/** What was told of an alarm. */
export async function addNotice(
  pool: pg.Pool,
  workspaceId: string,
  alarmId: string,
  { what, at, state, emailState = 'none', emails = 0 }: NoticeRow,
): Promise<void> {
  const people = Array.from({ length: emails }, () => randomUUIDv7());
  await pool.query(
    `insert into alarm_notices (id, workspace_id, alarm_id, what, at, state, email_state, emailed_to)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [randomUUIDv7(), workspaceId, alarmId, what, at, state, emailState, people],
  );
}

/** Takes the watch away from the service, which would otherwise close alarms that it does not find. */
export async function stopJudging(pool: pg.Pool): Promise<void> {
  await pool.query(`update alarm_watch set instance_id = $1, until = now() + interval '50 minutes'`, [
    randomUUIDv7(),
  ]);
}
