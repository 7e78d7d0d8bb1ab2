import { type RawBuilder, sql } from 'kysely';
import type { Queryable } from '../pool.ts';
import { inWorkspace, isShardOf } from '../sharded.ts';
import { onlyRow } from '../sql.ts';

/** A print of each part of a workspace. A print that differs from the one before means that the part has changed. */
export interface WorkspacePrints {
  readonly leads: string;
  readonly tokens: string;
  readonly forms: string;
  readonly workspace: string;
  readonly members: string;
  readonly keys: string;
  readonly diagnostics: string;
  readonly held: string;
  readonly alarms: string;
  readonly enrichment: string;
  readonly destinations: string;
  readonly deliveries: string;
  readonly audit: string;
}

export interface PrintOptions {
  readonly now: number;
  /** The actions in the audit log that change leads. */
  readonly leadActions: readonly string[];
}

// As many as the first page of the list shows.
const leadsMax = 100;
const deliveriesMax = 100;
const alarmsMax = 50;
const auditEntriesMax = 20;
const leadActionsMax = 5;
const countedMs = 10 * 60_000;
const answerTimeoutMs = 10_000;

type OfLeads = 'leads' | 'diagnostics' | 'held' | 'deliveries';

/**
 * Two statements of short index scans, whose cost does not depend on how many leads there are: see
 * docs/decisions/0023-changes-are-told-by-name.md. On Citus the first runs on the node of the leads and the second on the
 * coordinator; a single one would copy whole tables from one to the other.
 */
export async function readPrints(
  db: Queryable,
  workspaceId: string,
  options: PrintOptions,
): Promise<WorkspacePrints> {
  const hot = await onlyRow(
    db,
    sql<Pick<WorkspacePrints, OfLeads>>`
      select jsonb_build_array(${newestLeads(workspaceId)}, ${grantedLeads(workspaceId)},
          ${admittedLeads(workspaceId)})::text as leads,
        ${countsPrint(workspaceId, options.now)} as diagnostics,
        ${heldPrint(workspaceId)} as held,
        ${deliveriesPrint(workspaceId)} as deliveries`,
    answerTimeoutMs,
  );
  const { audited, ...rest } = await onlyRow(
    db,
    sql<Omit<WorkspacePrints, OfLeads> & { readonly audited: string | null }>`
      with newest_audit as (
        select id, action, completed, times from audit_log
        where workspace_id = ${workspaceId} order by at desc, id desc limit ${auditEntriesMax}
      )
      select
        concat(${auditPrint(options.leadActions)}, ${leadActionsPrint(workspaceId)}) as audited,
        ${tokensPrint(workspaceId)} as tokens,
        ${formsPrint(workspaceId)} as forms,
        jsonb_build_array(w.name, w.status, w.held_days, ${leadViewsPrint(workspaceId)})::text as workspace,
        ${membersPrint(workspaceId)} as members,
        ${keysPrint(workspaceId)} as keys,
        ${enrichmentPrint(workspaceId)} as enrichment,
        ${destinationsPrint(workspaceId)} as destinations,
        ${alarmsPrint(workspaceId)} as alarms,
        ${auditPrint(null)} as audit
      from workspaces w where w.id = ${workspaceId}`,
    answerTimeoutMs,
  );
  return { ...rest, ...hot, leads: `${hot.leads} ${audited}` };
}

/**
 * The newest leads with their verdicts and the times of their enrichment: the verdict is in the index. A mark, second look,
 * enrichment or erasure of one of them is seen here.
 */
function newestLeads(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select md5(string_agg(concat(l.submission_id, l.verdict, e.enriched_at), ' ' order by l.submission_id))
    from (
      select workspace_id, submission_id, verdict from leads
      where ${inWorkspace(workspaceId)} order by received_at desc, submission_id desc limit ${leadsMax}
    ) l left join lead_enrichments e on ${isShardOf(workspaceId, 'e')} and e.workspace_id = l.workspace_id
      and e.submission_id = l.submission_id)`;
}

/** Counted by every commit: sees leads that a slower lane or instance commits behind the newest. */
function grantedLeads(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select string_agg(concat(surface, day_started_at, ' ', day_count), ' ' order by surface)
    from rate_windows where ${inWorkspace(workspaceId)})`;
}

/** They were received earlier, and count for no limit. */
function admittedLeads(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select admitted_at from lead_recoveries where ${inWorkspace(workspaceId)} order by admitted_at desc limit 1)`;
}

function tokensPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select concat_ws(' ', count(*), max(revision), sum(extract(epoch from last_used_at)),
      (select count(*) from token_handovers where workspace_id = ${workspaceId}))
    from tokens where workspace_id = ${workspaceId})`;
}

function formsPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select concat_ws(' ', count(*), max(f.revision), max(s.revision), max(b.revision))
    from forms f left join webhook_secrets s on s.form_id = f.id
      left join browser_settings b on b.form_id = f.id
    where f.workspace_id = ${workspaceId})`;
}

/** The name of whoever created one is not in it: it is read with the next change. */
function leadViewsPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select concat_ws(' ', count(*), max(changed_at), sum(version)) from lead_views
    where workspace_id = ${workspaceId})`;
}

function membersPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`md5(concat(
    (select string_agg(concat(m.person_id, m.role, p.name, p.email), ' ' order by m.person_id)
     from memberships m join people p on p.id = m.person_id where m.workspace_id = ${workspaceId}),
    (select string_agg(concat(id, role, expires_at), ' ' order by id)
     from invitations where workspace_id = ${workspaceId})))`;
}

function keysPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select concat_ws(' ', count(*), count(revoked_at), sum(extract(epoch from last_used_at)))
    from api_keys where workspace_id = ${workspaceId})`;
}

/**
 * The counts of the last minutes, which are written once a second. The range starts at a multiple of ten minutes, so that
 * counts which leave it are taken for a change no more often than that.
 */
function countsPrint(workspaceId: string, now: number): RawBuilder<unknown> {
  const since = new Date(Math.floor(now / countedMs) * countedMs - countedMs);
  return sql`(
    select concat_ws(' ', sum(count), max(last_at)) from outcome_counts
    where ${inWorkspace(workspaceId)} and minute >= ${since})`;
}

/** One that is kept, decided, deleted or proven later changes the space that is used. */
function heldPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select concat_ws(' ', sum(rows), sum(bytes), sum(rows) filter (where is_proven)) from held_usage
    where ${inWorkspace(workspaceId)})`;
}

function enrichmentPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`concat_ws(' ',
    (select concat(revision, updated_at) from enrichment_providers where workspace_id = ${workspaceId}),
    (select concat(day, used) from enrichment_budgets
     where workspace_id = ${workspaceId} and provider = 'external' order by day desc limit 1))`;
}

/** The lists, with what changes while an engine sends: whether it fails, and why. And what recipients decide. */
function destinationsPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select md5(string_agg(concat_ws(' ', d.id, d.status, d.version, d.updated_at, h.failing_since, h.next_probe_at,
      h.last_error, (
        select string_agg(concat_ws(' ', r.id, r.asked_at, r.confirmed_at, r.unsubscribed_at, r.last_error), ' '
          order by r.id)
        from destination_recipients r where r.destination_id = d.id and r.removed_at is null
      )), ' ' order by d.id))
    from destinations d join destination_health h on h.destination_id = d.id where d.workspace_id = ${workspaceId})`;
}

/** Those that are open, and the newest of the others. */
function alarmsPrint(workspaceId: string): RawBuilder<unknown> {
  const newest = (condition: RawBuilder<unknown>) => sql`
    (select id, last_at, closed_at, acknowledged_at from alarms
     where workspace_id = ${workspaceId} and ${condition} order by opened_at desc, id desc limit ${alarmsMax})`;
  return sql`concat_ws(' ',
    (select version from alarm_settings where workspace_id = ${workspaceId}),
    (select md5(string_agg(concat_ws(' ', id, last_at, closed_at, acknowledged_at), ' ' order by id)) from (
      ${newest(sql`true`)} union ${newest(sql`closed_at is null`)}
    ) as newest))`;
}

/** The newest deliveries, the newest that wait and the newest that are dead: a retry of an old one is seen, too. */
function deliveriesPrint(workspaceId: string): RawBuilder<unknown> {
  const newest = (condition: RawBuilder<unknown>) => sql`
    (select id, state, attempts, next_at from deliveries
     where ${inWorkspace(workspaceId)} and ${condition} order by id desc limit ${deliveriesMax})`;
  return sql`(
    select md5(string_agg(concat_ws(' ', id, state, attempts, next_at), ' ' order by id)) from (
      ${newest(sql`true`)} union ${newest(sql`state = 'pending'`)} union ${newest(sql`state = 'dead'`)}
    ) as newest)`;
}

/** What is done to many leads. They may be older than those that are watched. */
function leadActionsPrint(workspaceId: string): RawBuilder<unknown> {
  return sql`(
    select string_agg(concat_ws(' ', id, done, finished_at), ' ' order by id) from (
      select id, done, finished_at from lead_actions where workspace_id = ${workspaceId}
      order by created_at desc, id desc limit ${leadActionsMax}) as newest)`;
}

/** Of these actions, or of all. */
function auditPrint(actions: readonly string[] | null): RawBuilder<unknown> {
  const isMeant = actions === null ? sql`true` : sql`completed and action = any (${actions}::text[])`;
  return sql`(select md5(string_agg(concat(id, completed, times), ' ' order by id)) from newest_audit where ${isMeant})`;
}
