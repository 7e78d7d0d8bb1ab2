-- Up Migration

-- Who suspended a workspace: an email address, or `operator` for the operator key. Null while it is active, or if nobody knows.
alter table workspaces add column if not exists suspended_by text;

-- Until now only the audit log knew. Its entry is written before the change.
update workspaces w
set suspended_by = (
  select a.actor_name from audit_log a
  where a.workspace_id = w.id and a.action = 'renameSuspendOrResumeAWorkspace' and a.changes ->> 'status' = 'suspended'
    and a.at <= w.suspended_at
  order by a.at desc, a.id desc limit 1)
where w.status = 'suspended' and w.suspended_by is null;
