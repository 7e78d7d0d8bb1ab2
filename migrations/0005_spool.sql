-- Up Migration

-- Leads that were accepted into a spool and that PostgreSQL would not take, or that it had under the same key with
-- another body. Nothing that was answered with 202 is thrown away: an operator decides about these.
create table spool_quarantine (
  id uuid primary key default gen_random_uuid(),
  at timestamptz not null,
  reason text not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  received_at timestamptz not null,
  surface text not null,
  body bytea not null
);
create index spool_quarantine_newest on spool_quarantine (at desc, id desc);

-- Stores a batch of spooled leads. May be called again with the same leads, whatever became of an earlier call.
-- The answer has a row only for leads that were not simply stored:
--   known       stored before: by an earlier call, by a commit whose answer got lost, or as the original of a repeat
--   other_body  the key belongs to a lead with another body; the first one stays
-- Rates were granted when the leads were accepted. Within one call no key may occur twice (drain.ts sees to it), and
-- keys are locked before leads and in order, as in ingest_commit.
create function ingest_drain(
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
  p_next_submissions uuid[]
) returns table (place integer, outcome text)
language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  id uuid;
  stored record;
  noted_shards smallint[] := '{}';
  noted_workspaces uuid[] := '{}';
  noted_submissions uuid[] := '{}';
begin
  insert into idempotency_keys as k (shard, workspace_id, key_hash, submission_id, body_hash, expires_at)
  select i.shard, i.workspace_id, i.key_hash, i.submission_id, i.body_hash, i.received_at + p_key_lifetime
  from unnest(p_shards, p_workspaces, p_key_hashes, p_submissions, p_body_hashes, p_received)
    as i (shard, workspace_id, key_hash, submission_id, body_hash, received_at)
  where i.key_hash is not null
  order by i.shard, i.workspace_id, i.key_hash
  on conflict (shard, workspace_id, key_hash) do update
    set submission_id = excluded.submission_id,
        body_hash = excluded.body_hash,
        expires_at = excluded.expires_at
    where k.expires_at <= excluded.expires_at - p_key_lifetime;

  for r in
    select i.*, coalesce(k.submission_id, i.submission_id) as owner_id
    from unnest(p_shards, p_workspaces, p_submissions, p_forms, p_tokens, p_surfaces, p_received, p_bodies, p_fields,
      p_scores, p_risks, p_grades, p_verdicts, p_reasons, p_rulesets, p_key_hashes, p_next_submissions)
      with ordinality as i (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
        score, risk, grade, verdict, reasons, ruleset, key_hash, next_id, place)
    left join idempotency_keys k using (shard, workspace_id, key_hash)
    order by i.place
  loop
    id := r.owner_id;
    select l.received_at, l.body into stored from leads l
      where (l.shard, l.workspace_id, l.submission_id) = (r.shard, r.workspace_id, id);
    if found and stored.received_at <= r.received_at - p_key_lifetime then
      id := r.next_id;
      update idempotency_keys k set submission_id = id
        where (k.shard, k.workspace_id, k.key_hash) = (r.shard, r.workspace_id, r.key_hash);
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
    return next;
  end loop;

  if noted_shards <> '{}' then
    insert into enrichment_outbox (shards, workspace_ids, submission_ids)
    values (noted_shards, noted_workspaces, noted_submissions);
  end if;
end;
$$;
