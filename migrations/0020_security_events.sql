-- Up Migration

-- Where a call came from, and how often the same happened: sign-ins, refusals and the like are kept as one row per hour, so that
-- nobody fills the log by doing the same again and again.
alter table audit_log
  add column if not exists address text,
  add column if not exists times integer not null default 1;

-- Somebody who was not signed in, such as whoever guesses passwords.
alter table audit_log drop constraint if exists audit_log_actor_kind_check;
alter table audit_log add constraint audit_log_actor_kind_check
  check (actor_kind in ('person', 'operator_key', 'nobody'));

-- What strangers caused is not kept for ever.
create index if not exists audit_log_nobody on audit_log (at) where actor_kind = 'nobody';
