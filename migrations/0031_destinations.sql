-- Up Migration

-- Where the leads of a workspace go. Ciphertexts only; the key is outside the database.
create table if not exists destinations (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  kind text not null check (kind in ('webhook')),
  status text not null check (status in ('active', 'paused', 'disabled')),
  -- `gone`: the receiver wants no more. `failing`: it failed for days; events still become deliveries, which wait.
  disabled_reason text check (disabled_reason in ('gone', 'failing')),
  -- Null: all forms, including those to come.
  form_ids uuid[],
  events text[] not null,
  filter jsonb not null,
  mapping jsonb not null,
  -- What its kind needs: the URL and the format of a webhook.
  config jsonb not null,
  -- Own headers of a webhook, as JSON.
  headers_ciphertext bytea,
  secret_ciphertext bytea not null,
  previous_secret_ciphertext bytea,
  previous_valid_until timestamptz,
  send_when text not null check (send_when in ('accepted', 'enriched')),
  wait_max_s integer not null check (wait_max_s >= 0),
  per_second numeric not null check (per_second > 0),
  -- Grows with each change by a person.
  version integer not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
create index if not exists destinations_newest on destinations (workspace_id, created_at desc, id desc);

-- One instance at a time sends to a destination, so that its pace is exact without a shared limiter.
create table if not exists destination_leases (
  destination_id uuid primary key references destinations (id) on delete cascade,
  instance_id uuid,
  until timestamptz not null default '-infinity',
  -- When someone should look for due deliveries. The relay lowers it; the holder of the lease raises it.
  wake_at timestamptz not null default 'infinity'
) with (fillfactor = 50);
create index if not exists destination_leases_wake on destination_leases (wake_at);
-- To find those whose holder died.
create index if not exists destination_leases_held on destination_leases (until) where instance_id is not null;

create table if not exists destination_health (
  destination_id uuid primary key references destinations (id) on delete cascade,
  consecutive_failures integer not null default 0,
  -- While it is open, one delivery at a time is tried, at next_probe_at.
  opened_at timestamptz,
  next_probe_at timestamptz,
  failing_since timestamptz,
  -- Why the last attempt failed, for people; null if it succeeded.
  last_error text,
  -- How many of the emails about the present failure the owners were sent.
  emails_sent smallint not null default 0
) with (fillfactor = 50);

-- A selection of deliveries that is being sent again.
create table if not exists delivery_replays (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  -- Which deliveries: destination_id, state, from, to.
  selection jsonb not null,
  -- Deliveries up to this one; later ones do not belong to the selection.
  last_id uuid not null,
  -- The last one that was done; null at the start.
  after_id uuid,
  total integer not null,
  done integer not null default 0,
  created_at timestamptz not null,
  created_by text not null,
  finished_at timestamptz
);
create index if not exists delivery_replays_unfinished on delivery_replays (created_at) where finished_at is null;

-- The number of the last event of a workspace. Its row is locked until the numbers are committed, so that a number can only
-- be seen when all smaller ones can. Rows appear with the first event.
create table if not exists event_counters (
  shard smallint not null,
  workspace_id uuid not null,
  last bigint not null,
  primary key (shard, workspace_id)
) with (fillfactor = 50);

-- What happened to leads, in order.
create table if not exists lead_events (
  shard smallint not null,
  workspace_id uuid not null,
  id bigint not null,
  type text not null,
  -- Null for events that are not about a lead.
  submission_id uuid,
  at timestamptz not null,
  data jsonb,
  primary key (shard, workspace_id, id)
);

-- What is to be sent where. The content is made from the lead when it is sent, so erasing a lead erases it.
create table if not exists deliveries (
  shard smallint not null,
  workspace_id uuid not null,
  -- Begins with created_at in milliseconds, so that a range of times is a range of ids.
  id uuid not null,
  destination_id uuid not null,
  event_id bigint not null,
  event_type text not null,
  event_at timestamptz not null,
  event_data jsonb,
  submission_id uuid,
  state text not null check (state in ('pending', 'delivered', 'dead', 'skipped', 'cancelled')),
  attempts smallint not null default 0,
  -- When it is tried next. Of a dead one, when it died.
  next_at timestamptz not null,
  last_status smallint,
  -- A word for programs, and a sentence for people.
  last_error_class text,
  last_error text,
  last_ms integer,
  created_at timestamptz not null,
  delivered_at timestamptz,
  -- Of the last attempt.
  destination_version integer,
  external_ref text,
  replay_of uuid,
  -- The selection that it belongs to.
  replay_id uuid,
  primary key (shard, workspace_id, id)
) with (fillfactor = 80);
create unique index if not exists deliveries_once
  on deliveries (shard, workspace_id, destination_id, event_id) where replay_of is null;
create unique index if not exists deliveries_replayed_once
  on deliveries (shard, workspace_id, replay_id, replay_of) where replay_id is not null;
-- Separate, because live deliveries go before replays, of which there may be many.
create index if not exists deliveries_due
  on deliveries (shard, workspace_id, destination_id, next_at) where state = 'pending' and replay_of is null;
create index if not exists deliveries_due_again
  on deliveries (shard, workspace_id, destination_id, next_at) where state = 'pending' and replay_of is not null;
-- For lists and counts: a destination can have millions of deliveries in one state and a few in another.
create index if not exists deliveries_by_state on deliveries (shard, workspace_id, destination_id, state, id);
create index if not exists deliveries_undelivered on deliveries (shard, workspace_id, state, id)
  where state <> 'delivered';
create index if not exists deliveries_of_lead on deliveries (shard, workspace_id, submission_id);

create table if not exists delivery_attempts (
  shard smallint not null,
  workspace_id uuid not null,
  delivery_id uuid not null,
  n smallint not null,
  at timestamptz not null,
  ms integer not null,
  status smallint,
  error_class text,
  error text,
  -- The first bytes of the response, encrypted.
  response_head bytea,
  primary key (shard, workspace_id, delivery_id, n)
);
