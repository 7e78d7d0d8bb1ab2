-- Up Migration

-- An operator stores a lead of the quarantine as the spool would have stored it. For that the row keeps what the spool
-- knew of it besides its body: score, token, idempotency key, signature (JSON, as bytes, so that nothing in it can be
-- refused). Rows of earlier versions have none.
alter table spool_quarantine add column if not exists form_id uuid;
alter table spool_quarantine add column if not exists head bytea;
-- What PostgreSQL had against it, without anything of the lead.
alter table spool_quarantine add column if not exists refusal text;

-- A drain that was killed between the quarantine and the removal of its segment comes again with the same leads.
delete from spool_quarantine q using spool_quarantine o
where (o.workspace_id, o.submission_id, o.reason, o.body) = (q.workspace_id, q.submission_id, q.reason, q.body)
  and (o.at, o.id) < (q.at, q.id);
create unique index if not exists spool_quarantine_once
  on spool_quarantine (workspace_id, submission_id, reason, sha256(body));

-- Leads that were erased. A copy may still lie in a spool, of this host or of one that is off, and would otherwise bring
-- the lead back. `received_at` tells a copy from an earlier or later use of the same idempotency key, which may have the
-- same id, and may be erased too.
create table if not exists lead_erasures (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  received_at timestamptz not null,
  erased_at timestamptz not null,
  -- Keyed (domain/lead/body-hash.ts). For kept requests of the same body that are on their way; null once there can be none.
  body_hash bytea,
  primary key (shard, workspace_id, submission_id, received_at)
);
create index if not exists lead_erasures_body on lead_erasures (shard, workspace_id, body_hash);

-- By the same keyed hash; empty without a body, and null in rows of earlier versions, which are opened to be compared.
alter table rejected_requests add column if not exists body_hash bytea;
create index if not exists rejected_requests_body on rejected_requests (shard, workspace_id, body_hash);

-- Whoever erases holds it alone, whoever keeps a copy of a body shares it: each sees all that the other has done, or
-- comes first.
create or replace function lock_erasures(p_workspace_id uuid, p_alone boolean) returns void language plpgsql as $$
declare
  lock_key bigint := hashtextextended('leadgate erasures ' || p_workspace_id, 0);
begin
  if p_alone then
    perform pg_advisory_xact_lock(lock_key);
  else
    perform pg_advisory_xact_lock_shared(lock_key);
  end if;
end;
$$;

-- Whether a lead that came at p_copied_at is one use of the key with the lead that was erased, or that lead itself. What
-- came a lifetime earlier or later is another lead, whatever its id.
create or replace function is_copy_of_erased(
  p_key_lifetime interval,
  p_copied_at timestamptz,
  p_received_at timestamptz,
  p_erased_at timestamptz
) returns boolean language sql immutable as $$
  select p_copied_at <= p_erased_at
    and p_copied_at > p_received_at - p_key_lifetime and p_copied_at < p_received_at + p_key_lifetime
$$;

-- True when the row is new: not when it was put there before, nor when its lead was erased meanwhile.
create or replace function quarantine_lead(
  p_key_lifetime interval,
  p_at timestamptz,
  p_reason text,
  p_refusal text,
  p_shard smallint,
  p_workspace_id uuid,
  p_submission_id uuid,
  -- Under which it was stored, or would be, when its key was used anew; null without a key.
  p_next_submission_id uuid,
  p_form_id uuid,
  p_surface text,
  p_received_at timestamptz,
  p_body bytea,
  p_head bytea
) returns boolean language plpgsql as $$
begin
  perform lock_erasures(p_workspace_id, false);
  insert into spool_quarantine (at, reason, refusal, workspace_id, submission_id, form_id, surface, received_at, body, head)
  select p_at, p_reason, p_refusal, p_workspace_id, p_submission_id, p_form_id, p_surface, p_received_at, p_body, p_head
  where not exists (
    select from lead_erasures e
    where (e.shard, e.workspace_id) = (p_shard, p_workspace_id)
      and e.submission_id = any (array[p_submission_id, p_next_submission_id])
      and is_copy_of_erased(p_key_lifetime, p_received_at, e.received_at, e.erased_at)
  )
  on conflict (workspace_id, submission_id, reason, sha256(body)) do nothing;
  if found then
    return true;
  end if;
  -- The spool lets go of it because of what others have written: wait for the standby as those had to.
  perform pg_logical_emit_message(true, 'leadgate', '');
  return false;
end;
$$;

-- ingest_drain, for leads of which some may have been erased since they were accepted:
--   erased  not stored, and not to be
-- Looked for after the insertion, which may have waited for the end of the erasure. A lead may have been stored, and
-- erased, under its next id.
create or replace function store_spooled(
  p_key_lifetime interval,
  p_shards smallint[],
  p_workspaces uuid[],
  p_submissions uuid[],
  p_forms uuid[],
  p_tokens uuid[],
  p_surfaces text[],
  p_received timestamptz[],
  p_bodies bytea[],
  p_fields jsonb[],
  p_scores smallint[],
  p_risks smallint[],
  p_grades text[],
  p_verdicts text[],
  p_reasons jsonb[],
  p_rulesets text[],
  p_key_hashes bytea[],
  p_body_hashes bytea[],
  p_next_submissions uuid[],
  p_signatures uuid[] default null
) returns table (place integer, outcome text)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  told_places integer[];
  told_outcomes text[];
  erased integer[];
begin
  select array_agg(d.place), array_agg(d.outcome) into told_places, told_outcomes
  from ingest_drain(p_key_lifetime, p_shards, p_workspaces, p_submissions, p_forms, p_tokens, p_surfaces, p_received,
    p_bodies, p_fields, p_scores, p_risks, p_grades, p_verdicts, p_reasons, p_rulesets, p_key_hashes, p_body_hashes,
    p_next_submissions, p_signatures) as d;

  select coalesce(array_agg(distinct i.place::integer), '{}') into erased
  from unnest(p_shards, p_workspaces, p_submissions, p_next_submissions, p_received)
    with ordinality as i (shard, workspace_id, submission_id, next_id, received_at, place)
  join lead_erasures e
    on (e.shard, e.workspace_id) = (i.shard, i.workspace_id)
      and e.submission_id = any (array[i.submission_id, i.next_id])
  where is_copy_of_erased(p_key_lifetime, i.received_at, e.received_at, e.erased_at);

  if erased <> '{}' then
    delete from leads l
    using unnest(p_shards, p_workspaces, p_submissions, p_next_submissions, p_received)
      with ordinality as i (shard, workspace_id, submission_id, next_id, received_at, place)
    where i.place = any (erased)
      and (l.shard, l.workspace_id) = (i.shard, i.workspace_id)
      and l.submission_id = any (array[i.submission_id, i.next_id])
      and l.received_at = i.received_at;
  end if;

  return query
    select t.place, t.outcome from unnest(told_places, told_outcomes) as t (place, outcome) where t.place <> all (erased)
    union all
    select t.place, 'erased' from unnest(erased) as t (place);
end;
$$;
