-- Up Migration

-- When the password was last entered in a session. Null in a session that an earlier version began: then its beginning counts.
alter table sessions add column if not exists password_checked_at timestamptz;

-- What an entry names, as it was called at the time: people are removed, forms renamed. Empty in entries of earlier versions.
alter table audit_log add column if not exists names jsonb not null default '{}';

-- One page of the entries of a person or of an action, however rare, in a workspace or among those of operators.
create index if not exists audit_log_actor on audit_log (workspace_id, actor_id, at desc, id desc);
create index if not exists audit_log_action on audit_log (workspace_id, action, at desc, id desc);
create index if not exists audit_log_operator_actor on audit_log (actor_id, at desc, id desc) where by_operator;
create index if not exists audit_log_operator_action on audit_log (action, at desc, id desc) where by_operator;
