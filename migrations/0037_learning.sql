-- Up Migration

-- What a form has learned from marks: part of the directory, because the ingest plane scores with it.
create table if not exists form_learning (
  form_id uuid primary key references forms (id),
  workspace_id uuid not null references workspaces (id),
  -- Counts the models. A lead's ruleset ends in "+learned.<number>".
  number integer not null default 0,
  -- Hashes of words with their weights, and domains; see src/domain/score/learning. Null while there is too little.
  model jsonb,
  -- The leads that it was learned from, how many people have marked them, and the first mark that counts.
  spam_leads integer not null default 0,
  wanted_leads integer not null default 0,
  people integer not null default 0,
  since timestamptz,
  learned_at timestamptz,
  -- Marks up to then do not count.
  forgotten_at timestamptz,
  forgotten_by text,
  -- When it is to be learned again; later than now while an instance does it.
  due_at timestamptz,
  revision bigint not null default 0
);
create index if not exists form_learning_due on form_learning (due_at) where due_at is not null;
create index if not exists form_learning_revision on form_learning (revision);
create index if not exists form_learning_workspace on form_learning (workspace_id);

-- The newest marks of each person.
create index if not exists lead_marks_person on lead_marks (shard, workspace_id, marked_by, marked_at desc);
