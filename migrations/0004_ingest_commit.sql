-- Up Migration

-- How much of a window is used up. A window that has run out counts nothing; so does one that starts in the
-- future by more than its length, which only a clock that was set back can leave behind. Declared stable, not
-- immutable: adding an interval to a time is stable, and only then does PostgreSQL inline the function.
create function rate_used(started_at timestamptz, used integer, now timestamptz, length interval)
returns integer language sql stable as $$
  select case when now >= started_at + length or now < started_at - length then 0 else used end
$$;

create function rate_granted(wanted integer, minute_left integer, day_left integer)
returns integer language sql stable as $$
  select greatest(0, least(wanted, minute_left, day_left))
$$;

-- Commits one batch of leads: claims idempotency keys, grants rate, inserts leads, notes
-- the batch for enrichment.
-- All arrays have one element per lead. The answer has a row only for leads that were not simply stored:
--   replay               the key belongs to another submission: its id, and whether its body was the same
--   rate_limited_minute  over the limit, nothing kept
--   rate_limited_day
--   again                the key's owner vanished in this moment: the caller puts the lead into its next batch
--   taken                the key's last use has expired, but its lead has the id that follows from the key: the caller
--                        tries again with the id of the next generation. Told on a retry only; a first try that meets
--                        such a lead ends in a unique violation, so that the usual case need not look for it
--
-- Within one call no key may occur twice (group-commit.ts sees to it). Locks are always taken in one order,
-- keys before windows and each sorted, so that two instances cannot block each other for good.
create function ingest_commit(
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
