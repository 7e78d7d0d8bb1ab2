-- Up Migration

-- Links that let a person choose a new password. All of a person's are gone once one was used.
create table password_resets (
  -- The link itself is shown or mailed once.
  token_hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  -- Set when an owner made the link: it is good for as long as he is an owner and the person belongs to this workspace
  -- and to nothing else. Null when an operator made it, or when it was mailed to the person himself.
  workspace_id uuid references workspaces (id),
  owner_id uuid,
  made_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index password_resets_person on password_resets (person_id);
create index password_resets_expiry on password_resets (expires_at);

-- True for what only an operator may do: those rows are also listed for operators, whatever workspace they concern.
alter table audit_log add column by_operator boolean not null default false;
update audit_log set by_operator = true where workspace_id is null;
create index audit_log_by_operator on audit_log (at desc, id desc) where by_operator;
