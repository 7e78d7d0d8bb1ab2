-- Up Migration

-- How each form wants its leads judged: part of the directory, because the ingest plane scores with it. Null and
-- version 0 mean that nobody has set anything.
alter table forms
  add column scoring jsonb,
  add column scoring_version integer not null default 0;

-- A lead's ruleset ends in "+form.<version>": every version is kept, so that its score can be explained later.
create table form_scoring_versions (
  form_id uuid not null references forms (id),
  version integer not null,
  workspace_id uuid not null references workspaces (id),
  settings jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (form_id, version)
);

-- What owners said of single leads. Nothing is overwritten: the mark with the highest number counts, and a null
-- takes the marks before it back. Numbers, because two marks can fall into one millisecond.
create table lead_marks (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  number integer not null,
  mark text check (mark in ('spam', 'not_spam')),
  marked_at timestamptz not null,
  marked_by text not null,
  primary key (shard, workspace_id, submission_id, number)
);

-- A mark replaces `verdict`, so that lists, filters, export and enrichment follow it without knowing of marks; what
-- the scorer said is kept here for as long as a mark is in force, and is null otherwise. Its values come from
-- `verdict`, which is checked; a check of its own would read the whole table.
alter table leads add column scored_verdict text;
