-- Up Migration

-- For Citus clusters; without Citus nobody calls these functions. There the hot tables are distributed by `shard`. A
-- *bucket* is a part of them: what Citus calls a shard, the same range in all hot tables and whole on one node. Its id is
-- that of its part of the table `buckets`.
--
-- Statements over distributed tables cannot do what ingest_commit does, and would be planned anew for each batch. So on a
-- node the same functions work on the tables of a bucket, such as leads_102009. A batch may have leads of several buckets
-- of the node, sorted by bucket: p_ends says where each bucket ends. All of it is one transaction of this node.

-- Holds buckets until the end of the transaction, as Citus does for its own writes: a move of a bucket waits for us, or we
-- for it. Raises LG001 when a bucket is on another node, and 55P03 when it is being moved and cannot be written to.
create or replace function hold_buckets(p_buckets bigint[]) returns void language plpgsql
-- Others on this node wait for it too.
set lock_timeout = '50ms'
as $$
begin
  -- What follows must see what the last holder of a lock wrote.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'default_transaction_isolation must be "read committed" on every node' using errcode = '25000';
  end if;
  -- Until the end of the transaction. The coordinator delegates on connections of its own, which have the node's defaults.
  perform set_config('synchronous_commit', 'on', true);
  -- Otherwise Citus refuses writes to the tables of a bucket. Only a superuser may create functions with a setting of
  -- an extension that is not there, so this is no clause of one.
  perform set_config('citus.enable_manual_changes_to_shards', 'on', true);
  if p_buckets = '{}' then
    return;
  end if;
  -- A split has replaced a bucket by others.
  if cardinality(p_buckets) <> (select count(*) from pg_dist_shard where shardid = any (p_buckets)) then
    raise exception 'a bucket does not exist any more' using errcode = 'LG001';
  end if;
  -- In mode "share".
  perform lock_shard_metadata(5, p_buckets);
  if cardinality(p_buckets) <> (
    select count(*) from pg_dist_placement
    where shardid = any (p_buckets) and groupid = (select groupid from pg_dist_local_group)
  ) then
    raise exception 'a bucket is on another node' using errcode = 'LG001';
  end if;
end;
$$;

-- Copies a function for a bucket: its tables are those of the bucket, and so are the functions that it calls. The copy
-- belongs to this session. So nodes need no functions for buckets that come and go, and a new version of a function is
-- used by every session that starts after it.
create or replace function copy_for_bucket(p_bucket bigint, p_function regproc) returns void language plpgsql
set check_function_bodies = off
as $$
declare
  definition text := pg_get_functiondef(p_function);
  part record;
begin
  for part in
    select other.logicalrelid::regclass::text as table_name, other.shardid
    from pg_dist_shard own
    join pg_dist_partition placed on placed.logicalrelid = own.logicalrelid
    join pg_dist_partition together on together.colocationid = placed.colocationid
    join pg_dist_shard other on other.logicalrelid = together.logicalrelid and other.shardminvalue = own.shardminvalue
    where own.shardid = p_bucket
  loop
    definition := regexp_replace(
      definition, '\m' || part.table_name || '\M', part.table_name || '_' || part.shardid, 'g');
  end loop;
  -- Functions by their schema where they are called, and without it where their names qualify variables.
  definition := regexp_replace(definition,
    '(\w+\.)?\m(find_stored_lead|ingest_commit|ingest_drain|store_spooled)\(', 'pg_temp.\2_' || p_bucket || '(', 'g');
  definition := regexp_replace(definition, '\mingest_commit\.', 'ingest_commit_' || p_bucket || '.', 'g');
  execute definition;
end;
$$;

-- Makes sure that this session has all functions for a bucket.
create or replace function prepare_bucket(p_bucket bigint) returns void language plpgsql as $$
begin
  if to_regproc('pg_temp.store_spooled_' || p_bucket) is not null then
    return;
  end if;
  -- Other nodes need no copies. Until the end of the transaction.
  perform set_config('citus.enable_ddl_propagation', 'off', true);
  perform copy_for_bucket(p_bucket, 'find_stored_lead');
  perform copy_for_bucket(p_bucket, 'ingest_commit');
  perform copy_for_bucket(p_bucket, 'ingest_drain');
  -- The last one, because it tells that all are there.
  perform copy_for_bucket(p_bucket, 'store_spooled');
end;
$$;

-- ingest_commit on a node. p_shard is that of any of the leads: it tells Citus where to run the call.
create or replace function ingest_commit_on_node(
  p_shard smallint,
  p_buckets bigint[],
  p_ends integer[],
  p_now timestamptz,
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
  p_body_hashes bytea[],
  p_signatures uuid[],
  p_suspects integer[]
) returns table (place integer, outcome text, submission_id uuid, same_body boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  a integer := 1;
  e integer;
begin
  perform hold_buckets(p_buckets);
  for i in 1 .. cardinality(p_buckets) loop
    e := p_ends[i];
    perform prepare_bucket(p_buckets[i]);
    return query execute format(
      'select place + %s, outcome, submission_id, same_body from pg_temp.ingest_commit_%s($1, $2, $3, $4, $5, $6, $7, $8,
        $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24)', a - 1, p_buckets[i])
      using p_now, p_retry, p_minute_limit, p_day_limit, p_key_lifetime,
        p_shards[a:e], p_workspaces[a:e], p_submissions[a:e], p_forms[a:e], p_tokens[a:e], p_surfaces[a:e],
        p_received[a:e], p_bodies[a:e], p_fields[a:e], p_scores[a:e], p_risks[a:e], p_grades[a:e], p_verdicts[a:e],
        p_reasons[a:e], p_rulesets[a:e], p_key_hashes[a:e], p_body_hashes[a:e], p_signatures[a:e],
        (select array_agg(s - a + 1) from unnest(p_suspects) as s where s between a and e);
    a := e + 1;
  end loop;
end;
$$;

-- store_spooled on a node, with the same parameters in front.
create or replace function store_spooled_on_node(
  p_shard smallint,
  p_buckets bigint[],
  p_ends integer[],
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
  p_signatures uuid[]
) returns table (place integer, outcome text)
language plpgsql as $$
#variable_conflict use_column
declare
  a integer := 1;
  e integer;
begin
  perform hold_buckets(p_buckets);
  for i in 1 .. cardinality(p_buckets) loop
    e := p_ends[i];
    perform prepare_bucket(p_buckets[i]);
    return query execute format(
      'select place + %s, outcome from pg_temp.store_spooled_%s($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
        $14, $15, $16, $17, $18, $19, $20)', a - 1, p_buckets[i])
      using p_key_lifetime,
        p_shards[a:e], p_workspaces[a:e], p_submissions[a:e], p_forms[a:e], p_tokens[a:e], p_surfaces[a:e],
        p_received[a:e], p_bodies[a:e], p_fields[a:e], p_scores[a:e], p_risks[a:e], p_grades[a:e], p_verdicts[a:e],
        p_reasons[a:e], p_rulesets[a:e], p_key_hashes[a:e], p_body_hashes[a:e], p_next_submissions[a:e],
        p_signatures[a:e];
    a := e + 1;
  end loop;
end;
$$;

-- A commit on the node that has the shard, without a table, and with these buckets held. Whether the node is read-only is
-- asked too, because a server that is set to read-only accepts the message.
create or replace function probe_node(p_shard smallint, p_buckets bigint[]) returns boolean language plpgsql as $$
begin
  perform hold_buckets(p_buckets);
  perform pg_logical_emit_message(true, 'leadgate', 'probe');
  return current_setting('transaction_read_only')::boolean;
end;
$$;
