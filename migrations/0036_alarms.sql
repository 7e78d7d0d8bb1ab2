-- Up Migration

-- Of the requests that were rejected: how many whose sender had proven who they are. Of those that were accepted: how many
-- were scored as spam. Null in minutes that were counted before this migration.
alter table outcome_counts add column if not exists proven_count bigint;
alter table outcome_counts add column if not exists spam_count bigint;
-- Alarms are judged by the counts of the last minutes, of all workspaces together.
create index if not exists outcome_counts_minute on outcome_counts (minute);

-- How far the signed times of a form's requests are from ours: 17 buckets, see src/domain/alarm/drift.
create table if not exists clock_drifts (
  shard smallint not null,
  workspace_id uuid not null,
  form_id uuid not null,
  minute timestamptz not null,
  buckets integer[] not null,
  primary key (shard, workspace_id, form_id, minute)
) with (fillfactor = 50);
create index if not exists clock_drifts_expiry on clock_drifts (shard, minute);

-- When a source of leads usually sends, computed once a day. The zero UUID stands for all tokens of the form together.
create table if not exists source_rhythms (
  shard smallint not null,
  workspace_id uuid not null,
  form_id uuid not null,
  token_id uuid not null,
  zone text not null,
  -- Expected leads in each hour of the week, from Monday 00:00 in the zone.
  expected real[] not null,
  -- The longest silence so far, in expected leads.
  longest_gap real not null,
  -- How much history there is.
  weeks real not null,
  leads integer not null,
  last_accepted_at timestamptz,
  -- Of the leads of the last four weeks whose verdict was counted.
  scored_leads integer not null,
  spam_leads integer not null,
  computed_at timestamptz not null,
  primary key (shard, workspace_id, form_id, token_id)
);

-- When at least one process accepted leads and could say so. What is missing between two rows is no silence of a sender.
create table if not exists service_times (
  started_at timestamptz primary key,
  until_at timestamptz not null
);

-- What waits in the spool of each instance, as far as it can say so.
create table if not exists instance_spools (
  -- The host and the port.
  instance text primary key,
  leads bigint not null,
  bytes bigint not null,
  -- Since when it was not empty; null if it is.
  since timestamptz,
  noted_at timestamptz not null
);

-- One instance judges. Only one row.
create table if not exists alarm_watch (
  "only" boolean primary key default true check ("only"),
  instance_id uuid,
  until timestamptz not null default '-infinity',
  judged_at timestamptz
);
insert into alarm_watch default values on conflict do nothing;

create table if not exists alarm_settings (
  workspace_id uuid primary key references workspaces (id),
  settings jsonb not null,
  version integer not null,
  updated_at timestamptz not null,
  updated_by text not null
);

create table if not exists alarms (
  id uuid primary key,
  -- Null for an alarm about the whole instance, for operators.
  workspace_id uuid references workspaces (id),
  kind text not null,
  severity text not null check (severity in ('high', 'medium', 'low')),
  form_id uuid,
  token_id uuid,
  destination_id uuid,
  reason text,
  -- What it was called when it was last judged: `form`, `token`, `destination`.
  names jsonb not null,
  evidence jsonb not null,
  opened_at timestamptz not null,
  last_at timestamptz not null,
  closed_at timestamptz,
  closed_as text check (closed_as in ('recovered', 'superseded', 'removed')),
  acknowledged_at timestamptz,
  acknowledged_by text,
  reminders smallint not null default 0
);
create unique index if not exists alarms_open_once
  on alarms (workspace_id, kind, form_id, token_id, destination_id, reason) nulls not distinct where closed_at is null;
create index if not exists alarms_newest on alarms (workspace_id, opened_at desc, id desc);

-- The owners of destinations that are disabled know: they got an email.
insert into alarms (id, workspace_id, kind, severity, destination_id, names, evidence, opened_at, last_at, acknowledged_at,
  acknowledged_by)
select gen_random_uuid(), workspace_id, 'destination_disabled', 'high', id, jsonb_build_object('destination', name),
  jsonb_build_object('disabled_reason', disabled_reason), now(), now(), now(), 'Leadgate'
from destinations where status = 'disabled'
on conflict do nothing;

-- What was told, or is to be told. A notice about one alarm, or a digest of several.
create table if not exists alarm_notices (
  id uuid primary key,
  workspace_id uuid references workspaces (id),
  -- Null for a digest.
  alarm_id uuid references alarms (id) on delete cascade,
  what text not null check (what in ('opened', 'reminder', 'closed', 'digest')),
  at timestamptz not null,
  -- `told`: its event was noted. `collected`: waits for a digest. `digested`: was in one. `muted`: nobody is told.
  state text not null check (state in ('told', 'collected', 'digested', 'muted')),
  -- Of one that is collected: when the digest is due. Of one that was in a digest: that digest.
  digest_at timestamptz,
  digest_id uuid,
  -- What the message says; null while it is collected.
  content jsonb,
  -- Emails to owners or operators: `none`, `due`, `sent`, `failed`.
  email_state text not null check (email_state in ('none', 'due', 'sent', 'failed')),
  email_attempts smallint not null default 0,
  email_next_at timestamptz,
  -- The people who have it already, by id.
  emailed_to uuid[] not null default '{}',
  -- Those whose address the mail server refuses permanently.
  refused_by uuid[] not null default '{}'
);
create index if not exists alarm_notices_due on alarm_notices (email_next_at) where email_state = 'due';
create index if not exists alarm_notices_collected on alarm_notices (workspace_id) where state = 'collected';
create index if not exists alarm_notices_of_alarm on alarm_notices (alarm_id);
create index if not exists alarm_notices_newest on alarm_notices (workspace_id, at desc);

-- Deliveries about alarms do not wait behind those about leads, of which there may be many.
create index if not exists deliveries_due_alarms on deliveries (shard, workspace_id, destination_id, next_at)
  where state = 'pending' and event_type in ('alarm.opened', 'alarm.reminder', 'alarm.closed', 'alarm.digest');
-- destination_health.emails_sent stays: instances of the version before read and write it during an upgrade.
