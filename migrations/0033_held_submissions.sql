-- Up Migration

-- Rejected requests that somebody can still prove or repair. Their content is encrypted (AES-256-GCM, the key is outside the
-- database), bounded in number and size, and deleted when its time is over. Nothing here was promised to a sender.
create table if not exists held_submissions (
  shard smallint not null,
  workspace_id uuid not null,
  -- The id of its rejection entry, if there is one: of a flood, only some get an entry.
  id uuid not null,
  form_id uuid not null,
  token_id uuid,
  surface text not null,
  reason text not null,
  -- A: proven, would be a lead. B: proven, with a formal fault. C: proven, no lead. D: not proven, but perhaps later.
  class text not null check (class in ('A', 'B', 'C', 'D')),
  received_at timestamptz not null,
  request_id text not null,
  -- The signed time.
  sent_at timestamptz,
  body_bytes integer not null,
  -- Keyed hashes, to find copies without opening them. Empty if the body was not kept.
  body_hash bytea not null,
  -- Of the signature: the same signed request is kept once.
  signature_hash bytea,
  -- Of the idempotency key, as in idempotency_keys.
  key_hash bytea,
  -- Of the email address or phone number in the body, so that an erasure finds it.
  person_hashes bytea[] not null default '{}',
  -- Null once it was admitted or discarded.
  sealed bytea,
  -- A request of class D whose signature is right with the secret that the form has now.
  verified_at timestamptz,
  state text not null default 'held' check (state in ('held', 'admitted', 'discarded')),
  decided_at timestamptz,
  decided_by text,
  -- Of the lead that it became.
  submission_id uuid,
  -- Of the selection that it was decided with.
  decision_id uuid,
  expires_at timestamptz not null,
  primary key (shard, workspace_id, id)
);
create index if not exists held_submissions_newest
  on held_submissions (shard, workspace_id, state, received_at desc, id desc);
create index if not exists held_submissions_by_reason
  on held_submissions (shard, workspace_id, reason, form_id)
  include (class, received_at, expires_at, verified_at, token_id, surface) where state = 'held';
create unique index if not exists held_submissions_signed_once
  on held_submissions (shard, workspace_id, signature_hash) where signature_hash is not null;
create index if not exists held_submissions_bodies on held_submissions (shard, workspace_id, body_hash);
create index if not exists held_submissions_expiry on held_submissions (shard, expires_at);

-- What is held, exactly: the bounds are checked against it. Proven requests and others have separate room, so that strangers
-- cannot use up that of senders.
create table if not exists held_usage (
  shard smallint not null,
  workspace_id uuid not null,
  form_id uuid not null,
  is_proven boolean not null,
  rows integer not null default 0,
  bytes bigint not null default 0,
  primary key (shard, workspace_id, form_id, is_proven)
) with (fillfactor = 50);

-- How many were not kept, because there was no room.
create table if not exists held_missed (
  shard smallint not null,
  workspace_id uuid not null,
  day date not null,
  count bigint not null,
  primary key (shard, workspace_id, day)
) with (fillfactor = 50);

-- Leads that were rejected first.
create table if not exists lead_recoveries (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  held_id uuid not null,
  reason text not null,
  admitted_at timestamptz not null,
  admitted_by text not null,
  -- Whether destinations are told of it.
  is_delivered boolean not null default true,
  primary key (shard, workspace_id, submission_id)
);

create index if not exists lead_recoveries_newest on lead_recoveries (shard, workspace_id, admitted_at desc);

-- A selection that is being admitted or discarded.
create table if not exists held_decisions (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  kind text not null check (kind in ('admission', 'discard')),
  -- Which ones: ids, reason, form_id, class, exclude_twins, last_id.
  selection jsonb not null,
  -- Whether destinations get the leads.
  deliver boolean not null,
  total integer not null,
  done integer not null default 0,
  admitted integer not null default 0,
  -- The last one that was done; null at the start.
  after_id uuid,
  created_at timestamptz not null,
  created_by text not null,
  -- Whoever works on it renews this; others take over when it is past.
  leased_until timestamptz not null default '-infinity',
  stopped_at timestamptz,
  finished_at timestamptz
);
create index if not exists held_decisions_unfinished on held_decisions (created_at) where finished_at is null;

-- For how long rejected requests are kept; 0 for not at all.
alter table workspaces add column if not exists held_days smallint not null default 14
  check (held_days between 0 and 30);
alter table forms add column if not exists keeps_rejected boolean not null default true;

-- Requests that were kept for the signature debugger. How large their bodies are is known only inside.
do $$
begin
  if (select relkind from pg_class where oid = to_regclass('rejected_requests')) <> 'r' then
    return;
  end if;
  insert into held_submissions
      (shard, workspace_id, id, form_id, surface, reason, class, received_at, request_id, body_bytes, body_hash, sealed, expires_at)
    select e.shard, e.workspace_id, e.id, r.form_id, e.surface, e.reason, 'D', e.at, e.request_id, 0,
      coalesce(r.body_hash, ''), r.sealed, e.at + interval '3 days'
    from rejected_requests r
    join rejection_entries e on e.shard = r.shard and e.workspace_id = r.workspace_id and e.id = r.rejection_id;
  insert into held_usage (shard, workspace_id, form_id, is_proven, rows, bytes)
    select shard, workspace_id, form_id, false, count(*), sum(octet_length(sealed))
    from held_submissions group by 1, 2, 3;
  drop table rejected_requests;
end $$;

-- For instances of earlier versions that are replaced one by one: they write and find nothing here.
create or replace view rejected_requests as
  select null::tid as ctid, null::smallint as shard, null::uuid as workspace_id, null::uuid as rejection_id, null::uuid as form_id,
    null::timestamptz as at, null::bytea as sealed, null::bytea as body_hash
  where false;
create or replace function forget_rejected_request() returns trigger language plpgsql as $$ begin return null; end $$;
drop trigger if exists forget_rejected_request on rejected_requests;
create trigger forget_rejected_request instead of insert or delete on rejected_requests
  for each row execute function forget_rejected_request();
