-- Up Migration

-- The index of leads: blocks of about 4,096 leads that follow one another in the list of a workspace. A worker writes them a
-- few minutes after the leads arrived; leads that no block covers are found without them. Nothing in a block is ever
-- changed: a block in which a lead was erased, changed or came late is deleted, and built again.

create table if not exists lead_blocks (
  shard smallint not null,
  workspace_id uuid not null,
  -- Covers all leads received from `from_at` on and before `to_at`.
  from_at timestamptz not null,
  to_at timestamptz not null,
  block integer not null,
  leads integer not null,
  -- For each lead, the newest first: 16 bytes of its ID, and its time in milliseconds as a float8.
  places bytea not null,
  primary key (shard, workspace_id, from_at)
);
-- IDs do not compress, and parts of it are read.
alter table lead_blocks alter column places set storage external;

-- Three characters that occur in the values of leads, and in which: a bitmap of their places, or a list if that is shorter.
create table if not exists lead_grams (
  shard smallint not null,
  workspace_id uuid not null,
  block integer not null,
  gram integer not null,
  leads bytea not null,
  primary key (shard, workspace_id, block, gram)
);
alter table lead_grams alter column leads set storage main;

-- The leads of a block sorted by a column, in pieces: the keys that they are sorted by, and their places.
create table if not exists lead_runs (
  shard smallint not null,
  workspace_id uuid not null,
  block integer not null,
  -- A hash of the column's name.
  column_id bigint not null,
  first_key bytea not null,
  piece smallint not null,
  -- A list as JSON.
  keys text not null,
  places bytea not null,
  primary key (shard, workspace_id, block, column_id, first_key, piece)
);

-- Dropped blocks whose grams are still to be deleted: those who erase a lead do not wait for that.
create table if not exists dropped_lead_blocks (
  shard smallint not null,
  workspace_id uuid not null,
  block integer not null,
  primary key (shard, workspace_id, block)
);
