-- Up Migration

-- What operators decide for the whole service: one row, which a change makes. Null leaves it to the default.
create table if not exists instance_settings (
  is_only_row boolean primary key default true check (is_only_row),
  workspace_creation text check (workspace_creation in ('operators', 'everyone'))
);

-- Whoever hands a workspace on has still used up one of those that a person may create.
alter table workspaces add column if not exists created_by uuid references people (id) on delete set null;
create index if not exists workspaces_created_by on workspaces (created_by) where created_by is not null;

update workspaces w set created_by = p.id
from audit_log a join people p on p.id = a.actor_id
where w.created_by is null and a.workspace_id = w.id and a.action in ('createAWorkspace', 'setUpTheService')
  and a.actor_kind = 'person';
