-- Up Migration

-- Whose invitation made the account, as it was then: it stays known after the inviter is gone. Null when nobody knows.
alter table people
  add column if not exists invited_by_kind text check (invited_by_kind in ('person', 'operator_key', 'setup')),
  add column if not exists invited_by_id uuid,
  add column if not exists invited_by_name text,
  add column if not exists invited_by_email text;
create index if not exists people_newest on people (created_at desc, id desc);

-- A link is good for as long as its maker may make one. Those made with the operator key have no person behind them and
-- live on; one with neither is of an unknown maker, and void.
alter table invitations
  add column if not exists made_by uuid references people (id) on delete cascade,
  add column if not exists made_with_key boolean not null default false,
  -- Null until the email with the present link was sent.
  add column if not exists mailed_at timestamptz;
create index if not exists invitations_maker on invitations (made_by);

-- Set when a person made the link as an operator: it is void once they are none, or once the person has become one.
alter table password_resets add column if not exists operator_id uuid references people (id) on delete cascade;

-- Until now only the audit log knew who made what.
update invitations i
set made_by = (select p.id from people p where p.id = a.actor_id), made_with_key = a.actor_kind = 'operator_key'
from audit_log a
where a.workspace_id = i.workspace_id and a.action = 'inviteAPerson' and a.target ->> 'id' = i.id::text
  and i.made_by is null and not i.made_with_key;

update people p set invited_by_kind = 'setup'
from audit_log a
where a.action = 'setUpTheService' and a.target ->> 'person_id' = p.id::text and p.invited_by_kind is null;

-- Of all invitations that a person has accepted, the first made the account.
update people p
set invited_by_kind = first.actor_kind, invited_by_id = first.actor_id,
  invited_by_email = case first.actor_kind when 'person' then first.actor_name end,
  invited_by_name = (select inviter.name from people inviter where inviter.id = first.actor_id)
from (
  select distinct on (accepted.target ->> 'person_id')
    accepted.target ->> 'person_id' as person_id, made.actor_kind, made.actor_id, made.actor_name
  from audit_log accepted
  left join audit_log made on made.action = 'inviteAPerson' and made.workspace_id = accepted.workspace_id
    and made.target ->> 'id' = accepted.target ->> 'invitation_id'
  where accepted.action = 'acceptAnInvitation'
  order by accepted.target ->> 'person_id', accepted.at, accepted.id
) first
where first.person_id = p.id::text and first.actor_kind is not null and p.invited_by_kind is null;

update password_resets r set operator_id = p.id
from people p
where r.owner_id is null and r.operator_id is null and p.email = r.made_by;
-- Made by an operator who is gone.
delete from password_resets
where owner_id is null and operator_id is null and made_by not in ('operator', 'the person, by mail');
