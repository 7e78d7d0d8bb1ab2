-- Up Migration

-- Exact counts per minute. `outcome` is 'accepted' or a reason of the rejection table; the zero UUID stands
-- for "no form" or "no token", because a primary key cannot hold null.
create table outcome_counts (
  shard smallint not null,
  workspace_id uuid not null,
  minute timestamptz not null,
  surface text not null,
  outcome text not null,
  form_id uuid not null,
  token_id uuid not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (shard, workspace_id, minute, surface, outcome, form_id, token_id)
);

-- Single rejections, capped per reason and minute, so that a flood is a number and not a table full of rows.
create table rejection_entries (
  shard smallint not null,
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  surface text not null,
  reason text not null,
  form_id uuid,
  token_id uuid,
  request_id uuid not null,
  detail jsonb not null,
  primary key (shard, workspace_id, id)
);
create index rejection_entries_newest on rejection_entries (shard, workspace_id, at desc, id desc);
create index rejection_entries_request on rejection_entries (shard, workspace_id, request_id);

-- Accepted, but worth a look: an idempotency key that came back with another body.
create table diagnostic_notes (
  shard smallint not null,
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  surface text not null,
  kind text not null check (kind in ('idempotency_body_differs')),
  form_id uuid,
  token_id uuid,
  request_id uuid not null,
  submission_id uuid not null,
  primary key (shard, workspace_id, id)
);

-- Rejections that name no workspace: for the operator only.
create table unattributed_counts (
  minute timestamptz not null,
  surface text not null,
  reason text not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (minute, surface, reason)
);

-- The last flush of each instance. A flush whose answer got lost is sent again with the same number and then
-- counts nothing twice.
create table diagnostic_flushes (
  instance_id uuid primary key,
  sequence bigint not null,
  flushed_at timestamptz not null
);
