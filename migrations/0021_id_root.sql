-- Up Migration

-- The root that ids of submissions follow from. It is sealed like every secret (the key lives outside the database), but
-- stays the same when that key is rotated. The first service to start stores it.
create table if not exists id_root (
  singleton boolean primary key default true check (singleton),
  sealed bytea not null
);
