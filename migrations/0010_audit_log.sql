-- Up Migration

-- Who changed what. A row is written before the change and completed after it, so that no change goes without one;
-- a row that was never completed belongs to a call whose end nobody has seen.
create table audit_log (
  id uuid primary key,
  -- Null for what concerns no workspace.
  workspace_id uuid references workspaces (id),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('person', 'operator_key')),
  -- No reference: what a person did stays known after the person is gone.
  actor_id uuid,
  actor_name text not null,
  action text not null,
  target jsonb not null,
  changes jsonb not null,
  completed boolean not null
);
create index audit_log_newest on audit_log (workspace_id, at desc, id desc);
