-- Up Migration

-- How many questions a day an owner's provider may be asked: such services cost money by the question.
alter table enrichment_providers add column daily_limit integer not null default 1000 check (daily_limit >= 0);

-- How many it was asked, by day in UTC. Counted here and not in memory, so that all instances share one budget.
create table enrichment_budgets (
  workspace_id uuid not null,
  provider text not null,
  day date not null,
  used integer not null,
  primary key (workspace_id, provider, day)
) with (fillfactor = 50);
