-- Up Migration

-- Destinations may also be emails, chat channels and CRMs.
alter table destinations drop constraint if exists destinations_kind_check;
alter table destinations add constraint destinations_kind_check
  check (kind in ('webhook', 'email', 'chat', 'hubspot'));
-- `refused`: a chat does not accept the messages. `no_recipients`: nobody is left who receives the emails.
alter table destinations drop constraint if exists destinations_disabled_reason_check;
alter table destinations add constraint destinations_disabled_reason_check
  check (disabled_reason in ('gone', 'refused', 'no_recipients', 'failing'));

-- Until when its deliveries are collected for one message, though they are due; null if they are not.
alter table destination_leases add column if not exists digest_at timestamptz;

-- Who gets the emails of a destination. Someone who unsubscribed stays here when an owner removes them, so that they are
-- asked before they get any again.
create table if not exists destination_recipients (
  id uuid primary key,
  destination_id uuid not null references destinations (id) on delete cascade,
  -- In lower case.
  address text not null,
  added_at timestamptz not null,
  removed_at timestamptz,
  -- When the link was last sent with which its reader agrees.
  asked_at timestamptz,
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  -- Why the mail server did not accept the last email; null if it did.
  last_error text,
  unique (destination_id, address)
);

-- True if the link went only to the person's email address, so that using it proves the address.
alter table password_resets add column if not exists is_mailed boolean not null default false;
