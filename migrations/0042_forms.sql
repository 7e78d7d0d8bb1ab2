-- Up Migration

-- Until when a former slug still leads to the form that had it; null if it does not.
alter table former_slugs add column if not exists alias_until timestamptz;

-- What identifies the current secret, and who set it. Null for secrets that were set before this version.
alter table webhook_secrets add column if not exists prefix text;
alter table webhook_secrets add column if not exists set_by text;

-- Keys that are not declared: whether tables and pages show them, and which are no longer suggested.
alter table forms add column if not exists unknown_keys text not null default 'shown'
  check (unknown_keys in ('shown', 'hidden'));
alter table forms add column if not exists ignored_keys text[] not null default '{}';

-- When each form last got a lead, and a request whose signature matched its current secret; once more for each alias that
-- they came by, with its slug. Written with the counts of an instance, so no foreign key can make such a flush fail; forms
-- are never deleted from their table.
create table if not exists form_uses (
  form_id uuid not null,
  slug text not null,
  lead_at timestamptz,
  verified_at timestamptz,
  primary key (form_id, slug)
) with (fillfactor = 50);

insert into form_uses (form_id, slug, lead_at)
select form_id, '', max(last_at) from outcome_counts where outcome = 'accepted' group by form_id
on conflict do nothing;
