-- Up Migration

-- Leads whose verdict was decided anew after their mail server was looked at, which takes longer than a sender waits.
-- At most one row per lead: the look is not repeated. `leads` holds what counts now; here stands what it was before,
-- so that the owner sees what changed, when, and by which settings.
create table lead_second_looks (
  shard smallint not null,
  workspace_id uuid not null,
  submission_id uuid not null,
  looked_at timestamptz not null,
  -- Who was asked, as in enrichment_results.
  provider text not null,
  verdict_before text not null,
  score_before smallint not null,
  grade_before text not null,
  risk_before smallint not null,
  reasons_before jsonb not null,
  -- What the second look found, whatever owners said later.
  verdict text not null,
  score smallint not null,
  grade text not null,
  risk smallint not null,
  ruleset text not null,
  primary key (shard, workspace_id, submission_id)
);
