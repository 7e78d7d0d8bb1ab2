-- Up Migration

-- The list of leads, newest first. Form, verdict and surface stand behind the order, so that a filter on them is
-- decided in the index: leads that do not match are passed over at some sixteen million a second, without a look at
-- the table. It takes the place of an index without them; a second one would cost each lead a second insertion.
create index leads_listed on leads
  (shard, workspace_id, received_at desc, submission_id desc, form_id, verdict, surface);
drop index leads_newest;
alter index leads_listed rename to leads_newest;

-- The oldest and newest audit rows that name one lead, for its history.
create index audit_log_lead on audit_log (workspace_id, (target ->> 'submission_id'), at desc)
  where target ? 'submission_id';

-- How a person arranged the lead table of a workspace: columns shown, their order, their widths. `form_id` is all zeros
-- for the table over all forms.
create table lead_table_views (
  workspace_id uuid not null references workspaces (id),
  person_id uuid not null references people (id) on delete cascade,
  form_id uuid not null,
  view jsonb not null,
  updated_at timestamptz not null,
  primary key (workspace_id, person_id, form_id)
);
create index lead_table_views_person on lead_table_views (person_id);
