-- Up Migration

-- People and their sessions. The library behind src/manage/accounts reads and writes these four tables; their columns
-- are those it asks for, under our names.
create table people (
  id uuid primary key,
  name text not null,
  -- Always in lower case: whoever writes it makes it so.
  email text not null unique check (email = lower(email)),
  email_verified boolean not null default false,
  image text,
  operator boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table credentials (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  account_id text not null,
  provider_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (person_id, provider_id)
);

-- The cookie holds the token and a signature under a key that is not in the database: a copy of this table opens nothing.
create table sessions (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sessions_person on sessions (person_id);
create index sessions_expiry on sessions (expires_at);

create table memberships (
  workspace_id uuid not null references workspaces (id),
  person_id uuid not null references people (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  created_at timestamptz not null,
  primary key (workspace_id, person_id)
);
create index memberships_person on memberships (person_id);

create table invitations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  email text not null,
  role text not null check (role in ('owner', 'member')),
  -- The link itself is shown once.
  token_hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
-- One open invitation per address: a new one takes the place of the one before.
create unique index invitations_email on invitations (workspace_id, email);

-- Links that make the first person; all are gone once there is one.
create table setup_tokens (
  token_hash bytea primary key,
  created_at timestamptz not null
);

-- Attempts to sign in, by what they are counted under: an address, an account, or the two together. Keys are hashes.
create table sign_in_attempts (
  key bytea primary key,
  attempts integer not null,
  window_ends_at timestamptz not null
);
create index sign_in_attempts_expiry on sign_in_attempts (window_ends_at);

-- Why and since when a workspace is suspended, for those who find it so.
alter table workspaces
  add column suspended_at timestamptz,
  add column suspended_reason text;
