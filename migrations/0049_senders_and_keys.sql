-- Up Migration

-- A known sender, such as Typeform, that proved itself by its own scheme: class E. What it sends can be admitted once it can be
-- read.
alter table held_submissions add column if not exists sender text;
alter table held_submissions drop constraint if exists held_submissions_class_check;
alter table held_submissions add constraint held_submissions_class_check check (class in ('A', 'B', 'C', 'D', 'E'));

-- The summary of what is held is read from this index alone.
drop index if exists held_submissions_by_reason;
create index held_submissions_by_reason
  on held_submissions (shard, workspace_id, reason, form_id)
  include (class, sender, received_at, expires_at, verified_at, token_id, surface) where state = 'held';

-- For the alarm that names the sender.
create index if not exists rejection_entries_by_sender
  on rejection_entries (shard, workspace_id, form_id, at) where reason = 'sender_unsupported';

-- Whoever puts an API key into the header of the idempotency key loses all leads but the first. For the alarm about that: the
-- key and the person of a body that differed, as hashes, and whether the key is a credential of ours.
alter table diagnostic_notes add column if not exists key_hash bytea;
alter table diagnostic_notes add column if not exists person_hash bytea;
alter table diagnostic_notes add column if not exists is_secret boolean;
create index if not exists diagnostic_notes_by_key on diagnostic_notes (shard, at) where key_hash is not null;
