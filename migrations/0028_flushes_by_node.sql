-- Up Migration

-- The last flush of diagnostics of each instance on each node of a cluster, with the shard of any of its rows: so it is
-- written on the node of these rows, in their transaction, and a flush that is sent again counts nothing twice there. On
-- one server, and for counts that belong to no workspace, diagnostic_flushes does the same.
create table if not exists node_flushes (
  shard smallint not null,
  instance_id uuid not null,
  sequence bigint not null,
  flushed_at timestamptz not null,
  primary key (shard, instance_id)
) with (fillfactor = 50);
