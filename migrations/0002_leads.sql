-- Up Migration

-- The hot tables. Each leads its primary key with (shard, workspace_id) and has no foreign key, trigger or
-- row that several shards share, so that the same schema can be distributed by shard.

create table leads (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  form_id uuid not null,
  token_id uuid,
  surface text not null check (surface in ('server', 'webhook')),
  received_at timestamptz not null,
  -- The exact bytes are the lead; `fields` is a cleaned projection of them for columns, filters and search.
  body bytea not null,
  fields jsonb not null,
  score smallint not null,
  risk smallint not null,
  grade text not null,
  verdict text not null check (verdict in ('clean', 'suspect', 'spam')),
  reasons jsonb not null,
  ruleset text not null,
  primary key (shard, workspace_id, submission_id)
);
create index leads_newest on leads (shard, workspace_id, received_at desc, submission_id desc);

-- Apart from the lead, so that enriching never rewrites a row that holds a body.
create table lead_enrichments (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  enriched_at timestamptz not null,
  data jsonb not null,
  primary key (shard, workspace_id, submission_id)
);

-- Keys are stored as hashes: an index entry has a size limit, a header value should not have ours.
create table idempotency_keys (
  shard smallint not null,
  workspace_id uuid not null,
  key_hash bytea not null,
  submission_id uuid not null,
  body_hash bytea not null,
  expires_at timestamptz not null,
  primary key (shard, workspace_id, key_hash)
);

-- `wanted` and `granted` describe the last batch: they let one upsert both count and report (ingest_commit).
create table rate_windows (
  shard smallint not null,
  workspace_id uuid not null,
  surface text not null check (surface in ('server', 'webhook')),
  minute_started_at timestamptz not null,
  minute_count integer not null,
  day_started_at timestamptz not null,
  day_count integer not null,
  wanted integer not null,
  granted integer not null,
  primary key (shard, workspace_id, surface)
) with (fillfactor = 50);

-- What the enrichment worker has yet to take on: one row per commit, written in the leads' own transaction, with
-- the ids of the whole batch as they came. The worker finds out which of them are clean leads; a commit should not
-- have to. A row costs a tenth of a job of the queue, and the worker turns many of them into one job.
create table enrichment_outbox (
  id bigint generated always as identity primary key,
  shards smallint[] not null,
  workspace_ids uuid[] not null,
  submission_ids uuid[] not null
);
-- Random ids do not compress; trying to would cost more than writing them.
alter table enrichment_outbox alter column workspace_ids set storage external;
alter table enrichment_outbox alter column submission_ids set storage external;
