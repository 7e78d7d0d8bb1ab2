-- Up Migration

-- Who may send leads, and where they go. Every instance keeps these tables in memory (the directory) and
-- reads only the rows whose revision is newer than what it has, so each write sets the row's revision.

create table directory_revision (
  singleton boolean primary key default true check (singleton),
  revision bigint not null default 0
);
insert into directory_revision default values;

-- The row lock makes the order of revisions the order of commits: a reader that has seen revision n can
-- never miss a row with a smaller one. Changes of the directory are rare, so the lock costs nothing.
create function next_directory_revision() returns bigint language sql as $$
  select pg_notify('leadgate_directory', '');
  update directory_revision set revision = revision + 1 returning revision;
$$;

create table workspaces (
  id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  revision bigint not null
);
create index workspaces_revision on workspaces (revision);
create index workspaces_newest on workspaces (created_at desc, id desc);

create table forms (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  slug text not null,
  active boolean not null,
  fields jsonb not null default '[]',
  created_at timestamptz not null,
  deleted_at timestamptz,
  revision bigint not null
);
-- A deleted form keeps its row, so that its leads keep a name, but gives its slug back.
create unique index forms_slug_in_workspace on forms (workspace_id, slug) where deleted_at is null;
create index forms_slug on forms (slug) where deleted_at is null;
create index forms_revision on forms (revision);
create index forms_newest on forms (workspace_id, created_at desc, id desc);

-- Ciphertexts only; the key lives outside the database (ENCRYPTION_KEY).
create table webhook_secrets (
  form_id uuid primary key references forms (id),
  workspace_id uuid not null references workspaces (id),
  current_ciphertext bytea,
  set_at timestamptz,
  previous_ciphertext bytea,
  previous_valid_until timestamptz,
  revision bigint not null
);
create index webhook_secrets_revision on webhook_secrets (revision);

create table tokens (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  form_id uuid not null references forms (id),
  name text not null,
  type text not null check (type in ('server', 'browser')),
  hash bytea not null unique,
  hint text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  revision bigint not null
);
create index tokens_revision on tokens (revision);
create index tokens_newest on tokens (workspace_id, created_at desc, id desc);
