-- Up Migration

-- Filters and columns of the list of leads under a name, for everyone in the workspace. A view outlives the account of its
-- creator, and a form that its filters name.
create table if not exists lead_views (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  name text not null,
  filters jsonb not null,
  layout jsonb,
  version integer not null,
  created_by uuid references people (id) on delete set null,
  created_by_key uuid references api_keys (id) on delete set null,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create unique index if not exists lead_views_name on lead_views (workspace_id, lower(name));
create index if not exists lead_views_creator on lead_views (created_by) where created_by is not null;
create index if not exists lead_views_key on lead_views (created_by_key) where created_by_key is not null;
