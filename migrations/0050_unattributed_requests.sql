-- Up Migration

-- The IDs of the last rejected requests without a workspace, for operators: each row has up to 2,000 of one flush,
-- surface and reason, so that a flood is a few rows a second. `after_ms` says how long after `first_at` each of them came.
create table if not exists unattributed_requests (
  id bigint generated always as identity primary key,
  surface text not null,
  reason text not null,
  count integer not null,
  first_at timestamptz not null,
  request_ids uuid[] not null,
  after_ms integer[] not null
);
