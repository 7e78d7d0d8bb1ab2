-- Up Migration

-- Most bodies are their own fields. They are no longer read as JSON when a lead is committed, nor stored twice: whoever needs the
-- fields of a lead reads them from its body (src/db/leads/lead-content.ts). Leads stored earlier keep theirs, and large leads get
-- them as before: to read one of their fields would take longer than to store it.
alter table leads alter column fields drop not null;

-- The function is otherwise that of migration 0047.

-- Commits one batch of leads: claims idempotency keys, grants rate, inserts leads, notes
-- them in the outbox.
-- All arrays have one element per lead. The answer has a row only for leads that were not simply stored:
--   replay               the key or the signature belongs to another submission: its id, and whether its body was the same
--   rate_limited_minute  over the limit, nothing kept
--   rate_limited_day
--   again                the key's owner vanished in this moment: the caller puts the lead into its next batch
--   taken                the key's last use has expired, but its lead has the id that follows from the key: the caller
--                        tries again with the id of the next generation. Told on a retry only
--
-- The usual case does not look for ids that are stored already: it ends in a unique violation, and a retry finds them. That
-- goes for repeated signed requests too, unless the caller suspects them.
--
-- Within one call no key and no signature may occur twice (lane.ts sees to it). Locks are always taken in one order,
-- keys before windows and each sorted, so that two instances cannot block each other for good.
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
  -- Null for a lead whose body is its fields.
  p_fields jsonb[],
  p_scores smallint[],
  p_risks smallint[],
  p_grades text[],
  p_verdicts text[],
  p_reasons jsonb[],
  p_rulesets text[],
  p_key_hashes bytea[],
  p_body_hashes bytea[],
  -- Signatures that count under whatever key; null without one. They are claimed like keys, in the same table: keys have
  -- 32 bytes there, signatures 16.
  p_signatures uuid[] default null,
  -- Places of signed requests without a key that were probably stored before; null without one.
  p_suspects integer[] default null
) returns table (place integer, outcome text, submission_id uuid, same_body boolean)
language plpgsql
-- Each statement reads single rows by their primary key. Planned while the tables are small, it would read all of them,
-- and go on doing so until PostgreSQL has noticed that they have grown.
set enable_seqscan = off
set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  -- Leads that need no claim: an earlier try stored them, they are repeats, or their id is taken.
  settled integer[] := '{}';
  skipped integer[];
  claims_count integer := cardinality(array_remove(p_key_hashes, null))
    + coalesce(cardinality(array_remove(p_signatures, null)), 0);
  claimed_count integer;
  any_limited boolean;
  found_row record;
begin
  -- Leads whose id may be stored already: all of them on a retry, otherwise those that somebody has seen before.
  if p_retry or p_suspects is not null then
    for found_row in
      select i.place::integer as place, i.submission_id, i.surface = 'webhook' and i.key_hash is null as is_by_signature,
        p_retry and stored.received_at = i.received_at and stored.body = i.body as is_own,
        i.key_hash is not null and exists (
          select from idempotency_keys k
          where (k.shard, k.workspace_id, k.key_hash) = (i.shard, i.workspace_id, i.key_hash) and k.expires_at > p_now
        ) as is_key_living
      from unnest(p_shards, p_workspaces, p_submissions, p_received, p_bodies, p_surfaces, p_key_hashes)
        with ordinality as i (shard, workspace_id, submission_id, received_at, body, surface, key_hash, place)
      cross join lateral find_stored_lead(i.shard, i.workspace_id, i.submission_id) as stored
      where p_retry or i.place = any (p_suspects)
    loop
      -- The claim of its key will tell.
      continue when not found_row.is_own and found_row.is_key_living;
      settled := settled || found_row.place;
      -- An earlier try stored it, as far as anybody can tell.
      continue when found_row.is_own;
      place := found_row.place;
      outcome := case when found_row.is_by_signature then 'replay' else 'taken' end;
      submission_id := case when found_row.is_by_signature then found_row.submission_id end;
      same_body := found_row.is_by_signature;
      return next;
    end loop;
    -- The answers rest on rows of others: wait for the standby as those had to (see above).
    if settled <> '{}' then
      perform pg_logical_emit_message(true, 'leadgate', '');
    end if;
  end if;
  skipped := settled;

  -- Keys and signatures. An expired row is taken over; a living one makes this lead a replay.
  if claims_count > 0 then
    insert into idempotency_keys as k (shard, workspace_id, key_hash, submission_id, body_hash, expires_at)
    select c.shard, c.workspace_id, c.key_hash, c.submission_id, c.body_hash, p_now + p_key_lifetime
    from (
      select i.shard, i.workspace_id, i.key_hash, i.submission_id, i.body_hash, i.place
      from unnest(p_shards, p_workspaces, p_key_hashes, p_submissions, p_body_hashes)
        with ordinality as i (shard, workspace_id, key_hash, submission_id, body_hash, place)
      where i.key_hash is not null
      union all
      select i.shard, i.workspace_id, uuid_send(i.signature), i.submission_id, ''::bytea, i.place
      from unnest(p_shards, p_workspaces, p_signatures, p_submissions)
        with ordinality as i (shard, workspace_id, signature, submission_id, place)
      where i.signature is not null
    ) as c
    where c.place <> all (settled)
    order by c.shard, c.workspace_id, c.key_hash
    on conflict (shard, workspace_id, key_hash) do update
      set submission_id = excluded.submission_id,
          body_hash = excluded.body_hash,
          expires_at = excluded.expires_at
      where k.expires_at <= p_now;
    get diagnostics claimed_count = row_count;

    if claimed_count < claims_count then
      for found_row in
        -- Told by who wrote the row, not by its id: a repeat has the id of its original.
        select i.place::integer as place, i.shard, i.workspace_id, i.key_hash, i.signature,
          i.key_hash is not null and k.xmin is distinct from own.xid as is_key_known,
          k.submission_id as key_owner, k.body_hash = i.body_hash as same_body, s.submission_id as signature_owner
        from unnest(p_shards, p_workspaces, p_key_hashes, p_body_hashes, p_signatures)
          with ordinality as i (shard, workspace_id, key_hash, body_hash, signature, place)
        cross join (select pg_current_xact_id()::xid as xid) as own
        left join idempotency_keys k
          on (k.shard, k.workspace_id, k.key_hash) = (i.shard, i.workspace_id, i.key_hash)
        left join idempotency_keys s
          on (s.shard, s.workspace_id, s.key_hash) = (i.shard, i.workspace_id, uuid_send(i.signature))
        where i.place <> all (settled)
          and (i.key_hash is not null and k.xmin is distinct from own.xid
            or i.signature is not null and s.xmin is distinct from own.xid)
      loop
        place := found_row.place;
        submission_id := case when found_row.is_key_known then found_row.key_owner else found_row.signature_owner end;
        same_body := case when found_row.is_key_known then found_row.same_body else true end;
        outcome := case when submission_id is null then 'again' else 'replay' end;
        return next;
        skipped := skipped || found_row.place;
        -- Whichever of the two it has claimed leads to the original from now on, or is free again.
        if found_row.signature is not null and found_row.key_hash is not null then
          if submission_id is null then
            delete from idempotency_keys k
            where (k.shard, k.workspace_id) = (found_row.shard, found_row.workspace_id)
              and k.key_hash in (found_row.key_hash, uuid_send(found_row.signature))
              and k.xmin = pg_current_xact_id()::xid;
          else
            update idempotency_keys k set submission_id = ingest_commit.submission_id
            where (k.shard, k.workspace_id) = (found_row.shard, found_row.workspace_id)
              and k.key_hash in (found_row.key_hash, uuid_send(found_row.signature))
              and k.xmin = pg_current_xact_id()::xid;
          end if;
        end if;
      end loop;
      -- Here they rest on keys of others.
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
        p_day_limit - rate_used(w.day_started_at, w.day_count, p_now, '24 hours')),
      day_started_at = case
        when rate_used(w.day_started_at, w.day_count, p_now, '24 hours') > 0 then w.day_started_at else p_now end,
      day_count = rate_used(w.day_started_at, w.day_count, p_now, '24 hours') + rate_granted(excluded.wanted,
        p_minute_limit - rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute'),
        p_day_limit - rate_used(w.day_started_at, w.day_count, p_now, '24 hours')),
      wanted = excluded.wanted,
      granted = rate_granted(excluded.wanted,
        p_minute_limit - rate_used(w.minute_started_at, w.minute_count, p_now, '1 minute'),
        p_day_limit - rate_used(w.day_started_at, w.day_count, p_now, '24 hours'))
    returning w.granted < w.wanted as short
  )
  select coalesce(bool_or(short), false) into any_limited from windows;

  -- Rare: say which leads were over, first come first served, and give their keys back.
  if any_limited then
    for found_row in
      select r.place, w.minute_count >= p_minute_limit as over_minute, r.key_hash, r.signature, r.submission_id,
        r.shard, r.workspace_id, r.surface = 'webhook' and r.key_hash is null as is_by_signature
      from (
        select i.*, row_number() over (partition by i.shard, i.workspace_id, i.surface order by i.place) as nth
        from unnest(p_shards, p_workspaces, p_surfaces, p_key_hashes, p_signatures, p_submissions)
          with ordinality as i (shard, workspace_id, surface, key_hash, signature, submission_id, place)
        where i.place <> all (skipped)
      ) r
      join rate_windows w using (shard, workspace_id, surface)
      where r.nth > w.granted
    loop
      place := found_row.place;
      skipped := skipped || place;
      -- A repeat is recognised before the limit. One that was granted a place meets its original below.
      if found_row.is_by_signature and not p_retry and exists (
        select from find_stored_lead(found_row.shard, found_row.workspace_id, found_row.submission_id)
      ) then
        outcome := 'replay';
        submission_id := found_row.submission_id;
        same_body := true;
        return next;
        continue;
      end if;
      outcome := case when found_row.over_minute then 'rate_limited_minute' else 'rate_limited_day' end;
      submission_id := null;
      same_body := null;
      return next;
      delete from idempotency_keys k
      where (k.shard, k.workspace_id) = (found_row.shard, found_row.workspace_id)
        and k.key_hash in (found_row.key_hash, uuid_send(found_row.signature))
        and k.submission_id = found_row.submission_id;
    end loop;
  end if;

  insert into leads (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
    score, risk, grade, verdict, reasons, ruleset)
  select i.shard, i.workspace_id, i.submission_id, i.form_id, i.token_id, i.surface, i.received_at, i.body,
    coalesce(i.fields, case when octet_length(i.body) > 16384 then convert_from(i.body, 'UTF8')::jsonb end), i.score, i.risk,
    i.grade, i.verdict, i.reasons, i.ruleset
  from unnest(p_shards, p_workspaces, p_submissions, p_forms, p_tokens, p_surfaces, p_received, p_bodies, p_fields,
    p_scores, p_risks, p_grades, p_verdicts, p_reasons, p_rulesets)
    with ordinality as i (shard, workspace_id, submission_id, form_id, token_id, surface, received_at, body, fields,
      score, risk, grade, verdict, reasons, ruleset, place)
  where i.place <> all (skipped);

  -- Leads of every verdict, each exactly once: an event follows from each.
  if skipped = '{}' then
    insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids)
    values (p_shards[1], p_shards, p_workspaces, p_submissions);
  elsif cardinality(skipped) < cardinality(p_shards) then
    insert into enrichment_outbox (shard, shards, workspace_ids, submission_ids)
    select (array_agg(i.shard order by i.place))[1], array_agg(i.shard order by i.place),
      array_agg(i.workspace_id order by i.place), array_agg(i.submission_id order by i.place)
    from unnest(p_shards, p_workspaces, p_submissions)
      with ordinality as i (shard, workspace_id, submission_id, place)
    where i.place <> all (skipped);
  end if;
end;
$$;
