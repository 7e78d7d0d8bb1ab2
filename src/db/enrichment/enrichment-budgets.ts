import { sql } from 'kysely';
import type pg from 'pg';
import { utcDay } from '../../time/clock.ts';
import type { Queryable } from '../pool.ts';
import { changedBy, firstRow, run } from '../sql.ts';

/** Budgets use UTC days. */
export function budgetDay(now: number): string {
  return utcDay(now);
}

/**
 * Counts one question against the daily limit of an owner's provider; false when the limit is reached. A single statement
 * that locks the row, so that instances asking at the same time cannot exceed the limit.
 */
export async function spendQuestion(pool: pg.Pool, workspaceId: string, day: string): Promise<boolean> {
  const taken = await changedBy(
    pool,
    sql`
      insert into enrichment_budgets as b (workspace_id, provider, day, used)
      select workspace_id, 'external', ${day}, 1 from enrichment_providers
      where workspace_id = ${workspaceId} and daily_limit > 0
      on conflict (workspace_id, provider, day) do update set used = b.used + 1
      where b.used < (select daily_limit from enrichment_providers where workspace_id = ${workspaceId})`,
  );
  return taken === 1;
}

export async function findQuestionsUsed(db: Queryable, workspaceId: string, day: string): Promise<number> {
  const row = await firstRow(
    db,
    sql<{ readonly used: number }>`
      select used from enrichment_budgets
      where workspace_id = ${workspaceId} and provider = 'external' and day = ${day}`,
  );
  return row?.used ?? 0;
}

export async function deleteOldBudgets(pool: pg.Pool, beforeDay: string): Promise<void> {
  await run(pool, sql`delete from enrichment_budgets where day < ${beforeDay}`);
}
