-- Up Migration

-- How long responses took, per workspace and minute: 16 buckets, see src/domain/diagnostics/handling-times.ts.
create table if not exists handling_times (
  shard smallint not null,
  workspace_id uuid not null,
  minute timestamptz not null,
  buckets integer[] not null,
  primary key (shard, workspace_id, minute)
) with (fillfactor = 50);
create index if not exists handling_times_expiry on handling_times (shard, minute);
