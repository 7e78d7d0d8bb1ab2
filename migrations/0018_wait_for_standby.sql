-- Up Migration

-- A commit waits for a synchronous standby only if its transaction has written something. One that finds everything
-- stored already writes nothing, and would let a 202 go out, or a spooled copy be removed, for rows that are on the
-- primary alone: their own commit may still be waiting, or its wait may have been cut short by the end of its backend.
-- So wherever an answer rests on rows of another transaction, a message goes into the log. It is nothing but a few
-- bytes there; the commit that waits for it waits for everything before it too.
-- The functions are those of 0004_ingest_commit.sql and 0005_spool.sql, which explain them, with these lines added. A
-- batch that is simply stored runs no more statements than before.
create or replace function ingest_commit(
  p_now timestamptz,
  -- True when an earlier try may have committed without our hearing of it.
  p_retry boolean,
  p_minute_limit integer,
  p_day_limit integer,
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
  p_body_hashes bytea[]
) returns table (place integer, outcome text, submission_id uuid, same_body boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  -- Leads that need no claim: an earlier try stored them, or their id is taken.
  settled integer[] := '{}';
  skipped integer[];
  keyed_count integer := cardinality(array_remove(p_key_hashes, null));
  claimed_count integer;
  any_limited boolean;
  found_row record;
begin
  if p_retry then
    for found_row in
      select i.place::integer as place,
        l.received_at = i.received_at and l.body = i.body as is_same,
        exists (
          select from idempotency_keys k
          where (k.shard, k.workspace_id, k.key_hash) = (i.shard, i.workspace_id, i.key_hash) and k.expires_at > p_now
        ) as is_key_living
      from unnest(p_shards, p_workspaces, p_submissions, p_received, p_bodies, p_key_hashes)
        with ordinality as i (shard, workspace_id, submission_id, received_at, body, key_hash, place)
      join leads l using (shard, workspace_id, submission_id)
    loop
      continue when not found_row.is_same and found_row.is_key_living;
      settled := settled || found_row.place;
      continue when found_row.is_same;
      place := found_row.place;
      outcome := 'taken';
      return next;
    end loop;
    -- The answer rests on rows of an earlier try: wait for the standby as that one had to (see above).
    if settled <> '{}' then
      perform pg_logical_emit_message(true, 'leadgate', '');
    end if;
  end if;
  skipped := settled;

  -- Keys. An expired row is taken over; a living one makes this lead a replay.
  if keyed_count > 0 then
    insert into idempotency_keys as k (shard, workspace_id, key_hash, submission_id, body_hash, expires_at)
    select i.shard, i.workspace_id, i.key_hash, i.submission_id, i.body_hash, p_now + p_key_lifetime
    from unnest(p_shards, p_workspaces, p_key_hashes, p_submissions, p_body_hashes)
      with ordinality as i (shard, workspace_id, key_hash, submission_id, body_hash, place)
    where i.key_hash is not null and i.place <> all (settled)
    order by i.shard, i.workspace_id, i.key_hash
    on conflict (shard, workspace_id, key_hash) do update
      set submission_id = excluded.submission_id,
          body_hash = excluded.body_hash,
          expires_at = excluded.expires_at
      where k.expires_at <= p_now;
    get diagnostics claimed_count = row_count;

    if claimed_count < keyed_count then
      for found_row in
        select i.place::integer as place, k.submission_id, k.body_hash = i.body_hash as same_body
        from unnest(p_shards, p_workspaces, p_key_hashes, p_submissions, p_body_hashes)
          with ordinality as i (shard, workspace_id, key_hash, submission_id, body_hash, place)
        left join idempotency_keys k using (shard, workspace_id, key_hash)
        where i.key_hash is not null and i.place <> all (settled)
          -- Not written by this very transaction: a repeat has the id of its original.
          and k.xmin is distinct from pg_current_xact_id()::xid
      loop
        place := found_row.place;
        outcome := case when found_row.submission_id is null then 'again' else 'replay' end;
        submission_id := found_row.submission_id;
        same_body := found_row.same_body;
        return next;
        skipped := skipped || found_row.place;
      end loop;
      -- The answers rest on keys of others: wait for the standby as those had to (see above).
      perform pg_logical_emit_message(true, 'leadgate', '');
    end if;
  end if;

  -- Rate. One upsert per workspace and surface both counts the batch and says how much of it was granted. A window
  -- opens with the first submission that counts.
  with windows as (
    insert into rate_windows as w (shard, workspace_id, surface, minute_started_at, minute_count,
      day_started_at, day_count, wanted, granted)
    select i.shard, i.workspace_id, i.surface, p_now, rate_granted(count(*)::integer, p_minute_limit, p_day_limit),
      p_now, rate_granted(count(*)::integer, p_minute_limit, p_day_limit),
      count(*), rate_granted(count(*)::integer, p_minute_limit, p_day_limit)
    from unnest(p_shards, p_workspaces, p_surfaces) with ordinality as i (shard, workspace_id, surface, place)
    where i.place <> all (skipped)
    group by i.shard, i.workspace_id, i.surface
    order by i.shard, i.workspace_id, i.surface
    on conflict (shard, workspace_id, surface) do update set
      minute_started_at = case
        when rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute') > 0 then w.minute_started_at else p_now end,
      minute_count = rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute') + rate_granted(excluded.wanted,
        p_minute_limit - rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute'),
        p_day_limit - rate_used(w.day_started_at, w.day_count, p_now, '1 day')),
      day_started_at = case
        when rate_used(w.day_started_at, w.day_count, p_now, '1 day') > 0 then w.day_started_at else p_now end,
      day_count = rate_used(w.day_started_at, w.day_count, p_now, '1 day') + rate_granted(excluded.wanted,
        p_minute_limit - rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute'),
        p_day_limit - rate_used(w.day_started_at, w.day_count, p_now, '1 day')),
      wanted = excluded.wanted,
      granted = rate_granted(excluded.wanted,
        p_minute_limit - rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute'),
        p_day_limit - rate_used(w.day_started_at, w.day_count, p_now, '1 day'))
    returning w.granted < w.wanted as short
  )
  select coalesce(bool_or(short), false) into any_limited from windows;

  -- Rare: say which leads were over, first come first served, and give their keys back.
  if any_limited then
    for found_row in
      select r.place, w.minute_count >= p_minute_limit as over_minute, r.key_hash, r.submission_id,
        r.shard, r.workspace_id
      from (
        select i.*, row_number() over (partition by i.shard, i.workspace_id, i.surface order by i.place) as nth
        from unnest(p_shards, p_workspaces, p_surfaces, p_key_hashes, p_submissions)
          with ordinality as i (shard, workspace_id, surface, key_hash, submission_id, place)
        where i.place <> all (skipped)
      ) r
      join rate_windows w using (shard, workspace_id, surface)
      where r.nth > w.granted
    loop
      place := found_row.place;
      outcome := case when found_row.over_minute then 'rate_limited_minute' else 'rate_limited_day' end;
      submission_id := null;
      same_body := null;
      return next;
      skipped := skipped || place;
      delete from idempotency_keys k
      where found_row.key_hash is not null
        and (k.shard, k.workspace_id, k.key_hash) = (found_row.shard, found_row.workspace_id, found_row.key_hash)
        and k.submission_id = found_row.submission_id;
    end loop;
  end if;

  insert into leads (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
    score, risk, grade, verdict, reasons, ruleset)
  select i.shard, i.workspace_id, i.submission_id, i.form_id, i.token_id, i.surface, i.received_at, i.body, i.fields,
    i.score, i.risk, i.grade, i.verdict, i.reasons, i.ruleset
  from unnest(p_shards, p_workspaces, p_submissions, p_forms, p_tokens, p_surfaces, p_received, p_bodies, p_fields,
    p_scores, p_risks, p_grades, p_verdicts, p_reasons, p_rulesets)
    with ordinality as i (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
      score, risk, grade, verdict, reasons, ruleset, place)
  where i.place <> all (skipped);

  if 'clean' = any (p_verdicts) then
    insert into enrichment_outbox (shards, workspace_ids, submission_ids) values (p_shards, p_workspaces, p_submissions);
  end if;
end;
$$;

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
  any_known boolean := false;
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
    any_known := true;
    return next;
  end loop;

  -- The spool lets go of leads that others have stored: wait for the standby as those had to (see above).
  if any_known then
    perform pg_logical_emit_message(true, 'leadgate', '');
  end if;

  if noted_shards <> '{}' then
    insert into enrichment_outbox (shards, workspace_ids, submission_ids)
    values (noted_shards, noted_workspaces, noted_submissions);
  end if;
end;
$$;
