-- Up Migration

-- Email domains on no list whose mail server belongs to a disposable email service, as DNS says. Facts that anyone can look
-- up, so all workspaces share them: the next lead of such a domain is scored with what was learned about the last one.
create table if not exists learned_domains (
  domain text primary key,
  mail_server text not null,
  learned_at timestamptz not null
);
create index if not exists learned_domains_age on learned_domains (learned_at);
