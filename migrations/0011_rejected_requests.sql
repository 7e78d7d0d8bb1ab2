-- Up Migration

-- What the signature debugger needs of a request whose signature or timestamp was refused. A rejected body comes from
-- anybody and may hold personal data, so it is sealed (AES-256-GCM, the key is outside the database), capped in number
-- and size, and deleted after a few days. The row's id is that of its rejection entry.
create table rejected_requests (
  shard smallint not null,
  workspace_id uuid not null,
  rejection_id uuid not null,
  form_id uuid not null,
  at timestamptz not null,
  sealed bytea not null,
  primary key (shard, workspace_id, rejection_id)
);
