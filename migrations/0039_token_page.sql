-- Up Migration

-- Who created a token: a person, an API key of the workspace or the operator key. Null when nobody knows.
alter table tokens
  add column if not exists creator_kind text check (creator_kind in ('person', 'api_key', 'operator_key')),
  -- Of a person or an API key, who may be gone.
  add column if not exists creator_id uuid;

-- Until now only the audit log knew it.
update tokens t set creator_kind = a.actor_kind, creator_id = a.actor_id
from audit_log a
where a.workspace_id = t.workspace_id and a.action in ('createAnIngestToken', 'rotateAnIngestToken')
  and a.target ->> 'id' = t.id::text and a.actor_kind in ('person', 'api_key', 'operator_key')
  and t.creator_kind is null;

-- The addresses that last used a token: a few of each, written with its last use.
create table if not exists token_addresses (
  token_id uuid not null references tokens (id) on delete cascade,
  address text not null,
  last_at timestamptz not null,
  primary key (token_id, address)
);

-- Links that hand a token over to someone. The token is encrypted in the browser of its creator, and the key is only in the
-- fragment of the link.
create table if not exists token_handovers (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  token_id uuid not null references tokens (id) on delete cascade,
  -- SHA-256 of what is in the link besides the key.
  link_hash bytea not null unique,
  -- For the key in the link, so no rotation of the service's own keys concerns it.
  locked_token bytea not null,
  -- A link is valid while its creator may create one. Those created with the operator key have neither.
  person_id uuid references people (id) on delete cascade,
  api_key_id uuid references api_keys (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index if not exists token_handovers_token on token_handovers (token_id);
create index if not exists token_handovers_person on token_handovers (person_id) where person_id is not null;
