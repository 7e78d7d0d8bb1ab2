-- Up Migration

-- Keys of a workspace for programs. Only the management API asks for them, so they are not part of the directory.
create table if not exists api_keys (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  -- SHA-256 of the key, which is shown once.
  hash bytea not null unique,
  hint text not null,
  scopes text[] not null,
  -- Null if it was created with the operator key. A key outlives the person who created it.
  created_by uuid references people (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz
);
create index if not exists api_keys_newest on api_keys (workspace_id, created_at desc, id desc);

-- What a key did. Not valid: the former check allowed less, so no entry needs to be read again while sign-ins wait.
alter table audit_log drop constraint if exists audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('person', 'operator_key', 'api_key', 'nobody')) not valid;
