-- The schema of the textbook implementation: tidy, indexed, nothing clever.

create table workspaces (
  id uuid primary key,
  status text not null default 'active'
);

create table forms (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  active boolean not null default true
);

create table tokens (
  hash bytea primary key,
  form_id uuid not null references forms (id),
  revoked_at timestamptz
);

create table idempotency_keys (
  workspace_id uuid not null,
  key text not null,
  submission_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);

-- The fill factor leaves room to update a counter in its own page.
create table rate_counters (
  workspace_id uuid not null,
  surface text not null,
  window_started_at timestamptz not null,
  used integer not null,
  primary key (workspace_id, surface)
) with (fillfactor = 50);

create table leads (
  submission_id uuid primary key,
  workspace_id uuid not null,
  form_id uuid not null,
  received_at timestamptz not null default now(),
  body bytea not null,
  fields jsonb not null
);
create index leads_newest on leads (workspace_id, received_at desc);
