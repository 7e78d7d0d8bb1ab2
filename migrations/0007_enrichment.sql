-- Up Migration

-- What each provider that reaches out said about a lead: the last word of each. Built-in ones need no row, they
-- say the same whenever they are asked. The merged view stands in lead_enrichments.
create table enrichment_results (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  provider text not null,
  version integer not null,
  outcome text not null check (outcome in ('found', 'none', 'skip', 'retry', 'fail')),
  why text,
  fields jsonb not null,
  -- How often it has been asked; a provider that asks for another try gets a limited number of them.
  attempts smallint not null,
  duration_ms integer not null,
  cached boolean not null,
  observed_at timestamptz not null,
  primary key (shard, workspace_id, submission_id, provider)
);

-- What providers said about a domain, for the next lead from there. `scope` is the workspace whose own provider it
-- was, or all zeros for what anybody can look up. A row without an outcome is a question somebody is asking now:
-- others wait for the answer until `claimed_until`.
create table enrichment_cache (
  provider text not null,
  version integer not null,
  scope uuid not null,
  key text not null,
  outcome jsonb,
  expires_at timestamptz not null,
  claimed_until timestamptz not null,
  primary key (provider, version, scope, key)
);
create index enrichment_cache_expired on enrichment_cache (expires_at);

-- The HTTP JSON service that an owner has set up. Ciphertexts only; the key lives outside the database.
create table enrichment_providers (
  workspace_id uuid primary key references workspaces (id),
  url text not null,
  send text not null check (send in ('domain', 'email')),
  header_name text,
  header_ciphertext bytea,
  signing_ciphertext bytea not null,
  mapping jsonb not null,
  -- Grows with each change: what was said before a change is not taken for an answer after it.
  revision integer not null,
  updated_at timestamptz not null
);
-- Numbers are never used twice, also when a provider is removed and set up again.
create sequence enrichment_provider_revision as integer;
