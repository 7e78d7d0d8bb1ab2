-- Up Migration

-- Many leads that are marked or erased together, in the background.
create table if not exists lead_actions (
  workspace_id uuid not null references workspaces (id),
  -- Chosen by the caller, so that a request sent twice is one action.
  id uuid not null,
  kind text not null check (kind in ('mark', 'erasure', 'undo')),
  mark text check (mark in ('spam', 'not_spam')),
  -- Of an undo: the action whose marks it takes back.
  undoes uuid,
  -- Which leads: `ids`, or a `filter` as the list takes it. Null once it has ended: a filter may contain what a sender wrote.
  selection jsonb,
  total integer not null,
  -- False if there were too many to count: then there are at least as many.
  is_total_exact boolean not null,
  done integer not null default 0,
  -- Of those done; the others were gone, or had the mark already.
  changed integer not null default 0,
  -- The last one that was done; null at the start. In the order of the list, or of ids.
  after_at timestamptz,
  after_id uuid,
  created_at timestamptz not null,
  created_by text not null,
  -- Whose permission it needs until it has ended.
  actor_kind text not null check (actor_kind in ('person', 'api_key', 'operator_key')),
  actor_id uuid,
  -- Whoever works on it renews this; others take over when it is past.
  leased_until timestamptz not null default '-infinity',
  -- In a row.
  failures smallint not null default 0,
  stop_reason text check (stop_reason in ('person', 'permission', 'failure')),
  finished_at timestamptz,
  primary key (workspace_id, id)
);
create index if not exists lead_actions_unfinished on lead_actions (workspace_id, created_at, id)
  where finished_at is null;
create index if not exists lead_actions_newest on lead_actions (workspace_id, created_at desc, id desc);
create index if not exists lead_actions_finished on lead_actions (finished_at);
create unique index if not exists lead_actions_undone_once on lead_actions (workspace_id, undoes)
  where undoes is not null;

-- The action that set it; null if it was set alone.
alter table lead_marks add column if not exists action_id uuid;
create index if not exists lead_marks_action on lead_marks (shard, workspace_id, action_id, submission_id)
  where action_id is not null;
