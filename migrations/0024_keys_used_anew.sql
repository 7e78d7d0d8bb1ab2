-- Up Migration

-- A key may be used anew after its lifetime, also while the lead of its last use still waits in a spool: on a machine
-- that was off for a day, say. Two things were wrong then. The older lead met the newer one under the id that both follow
-- from, and was put aside as a repeat with another body, although it had been answered. And a lead that was drained as the
-- next use of a key left the key with the end of the use before, so that a repeat soon after was a lead of its own.

-- Stores a batch of spooled leads. May be called again with the same leads, whatever became of an earlier call.
-- The answer has a row only for leads that were not simply stored:
--   known       stored before: by an earlier call, by a commit whose answer got lost, or as the original of a repeat
--   other_body  the key belongs to a lead with another body; the first one stays
-- Rates were granted when the leads were accepted. Within one call no key or signature may occur twice (drain.ts), and
-- keys are locked before leads and in order, as in ingest_commit.
create or replace function ingest_drain(
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
  -- The ids to use when a key was used anew after its lifetime.
  p_next_submissions uuid[],
  -- Signatures that count under whatever key, as in ingest_commit.
  p_signatures uuid[] default null
) returns table (place integer, outcome text)
language plpgsql
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  r record;
  id uuid;
  stored record;
  noted_shards smallint[] := '{}';
  noted_workspaces uuid[] := '{}';
  noted_submissions uuid[] := '{}';
  any_known boolean := false;
begin
  insert into idempotency_keys as k (shard, workspace_id, key_hash, submission_id, body_hash, expires_at)
  select c.shard, c.workspace_id, c.key_hash, c.submission_id, c.body_hash, c.received_at + p_key_lifetime
  from (
    select i.shard, i.workspace_id, i.key_hash, i.submission_id, i.body_hash, i.received_at
    from unnest(p_shards, p_workspaces, p_key_hashes, p_submissions, p_body_hashes, p_received)
      as i (shard, workspace_id, key_hash, submission_id, body_hash, received_at)
    union all
    select i.shard, i.workspace_id, uuid_send(i.signature), i.submission_id, ''::bytea, i.received_at
    from unnest(p_shards, p_workspaces, p_signatures, p_submissions, p_received)
      as i (shard, workspace_id, signature, submission_id, received_at)
  ) as c
  where c.key_hash is not null
  order by c.shard, c.workspace_id, c.key_hash
  on conflict (shard, workspace_id, key_hash) do update
    set submission_id = excluded.submission_id,
        body_hash = excluded.body_hash,
        expires_at = excluded.expires_at
    where k.expires_at <= excluded.expires_at - p_key_lifetime;

  for r in
    select i.*, coalesce(k.submission_id, i.submission_id) as owner_id
    from unnest(p_shards, p_workspaces, p_submissions, p_forms, p_tokens, p_surfaces, p_received, p_bodies, p_fields,
      p_scores, p_risks, p_grades, p_verdicts, p_reasons, p_rulesets, p_key_hashes, p_body_hashes, p_next_submissions,
      p_signatures)
      with ordinality as i (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
        score, risk, grade, verdict, reasons, ruleset, key_hash, body_hash, next_id, signature, place)
    left join idempotency_keys k using (shard, workspace_id, key_hash)
    order by i.place
  loop
    id := r.owner_id;
    select l.received_at, l.body into stored from leads l
      where (l.shard, l.workspace_id, l.submission_id) = (r.shard, r.workspace_id, id);
    if found and stored.received_at <= r.received_at - p_key_lifetime then
      -- The key is used anew, and lives on from here.
      id := r.next_id;
      update idempotency_keys k
        set submission_id = id, body_hash = r.body_hash, expires_at = r.received_at + p_key_lifetime
        where (k.shard, k.workspace_id, k.key_hash) = (r.shard, r.workspace_id, r.key_hash);
    elsif found and r.next_id is not null and stored.received_at >= r.received_at + p_key_lifetime then
      -- The key was used anew while this lead waited: it has its own id, unless the newer lead has got that one.
      id := case when exists (
        select from leads l
        where (l.shard, l.workspace_id, l.submission_id) = (r.shard, r.workspace_id, r.submission_id)
          and l.received_at >= r.received_at + p_key_lifetime
      ) then r.next_id else r.submission_id end;
    end if;

    if r.signature is not null and id <> r.submission_id then
      update idempotency_keys k set submission_id = id
        where (k.shard, k.workspace_id, k.key_hash) = (r.shard, r.workspace_id, uuid_send(r.signature))
          and k.submission_id = r.submission_id;
    end if;

    if id = r.submission_id or id = r.next_id then
      insert into leads (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
        score, risk, grade, verdict, reasons, ruleset)
      values (r.shard, r.workspace_id, id, r.form_id, r.token_id, r.surface, r.received_at, r.body, r.fields,
        r.score, r.risk, r.grade, r.verdict, r.reasons, r.ruleset)
      on conflict (shard, workspace_id, submission_id) do nothing;
      if found then
        continue when r.verdict <> 'clean';
        noted_shards := noted_shards || r.shard;
        noted_workspaces := noted_workspaces || r.workspace_id;
        noted_submissions := noted_submissions || id;
        continue;
      end if;
    end if;

    place := r.place;
    outcome := case when exists (
      select from leads l
      where (l.shard, l.workspace_id, l.submission_id) = (r.shard, r.workspace_id, id) and l.body <> r.body
    ) then 'other_body' else 'known' end;
    any_known := true;
    return next;
  end loop;

  -- The spool lets go of leads that others have stored: wait for the standby as those had to.
  if any_known then
    perform pg_logical_emit_message(true, 'leadgate', '');
  end if;

  if noted_shards <> '{}' then
    insert into enrichment_outbox (shards, workspace_ids, submission_ids)
    values (noted_shards, noted_workspaces, noted_submissions);
  end if;
end;
$$;
