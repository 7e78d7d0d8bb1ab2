-- Up Migration

-- A token that was rotated names its successor and ends with its grace: `expires_at` is set to the end of it, or
-- `revoked_at` when there is none. Part of the directory, so that a rejection can say what took the token's place.
alter table tokens add column replaced_by uuid references tokens (id);
create unique index tokens_replaced_by on tokens (replaced_by) where replaced_by is not null;

-- How many leads were signed with the former secret during an overlap: what tells an owner when it can be ended. An
-- overlap is known by its end, so that the counts of one never pass for those of the next.
create table former_secret_uses (
  shard smallint not null,
  workspace_id uuid not null,
  form_id uuid not null,
  overlap_ends_at timestamptz not null,
  minute timestamptz not null,
  count bigint not null,
  last_at timestamptz not null,
  primary key (shard, workspace_id, form_id, overlap_ends_at, minute)
);
