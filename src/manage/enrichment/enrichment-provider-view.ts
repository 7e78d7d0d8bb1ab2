import type { EnrichmentProvider } from '../../contract/enrichment.ts';
import { budgetDay, findQuestionsUsed } from '../../db/enrichment/enrichment-budgets.ts';
import type { ProviderRecord } from '../../db/enrichment/enrichment-providers.ts';
import type { Queryable } from '../../db/pool.ts';
import { type Clock, dayMs } from '../../time/clock.ts';

/** Without secrets, but with today's use. */
export async function viewProvider(
  db: Queryable,
  record: ProviderRecord,
  clock: Clock,
): Promise<EnrichmentProvider> {
  const { workspaceId, url, send, headerName, headerCiphertext, mapping, dailyLimit, updatedAt } = record;
  const day = budgetDay(clock.now());
  return {
    url,
    send,
    header_name: headerName,
    header_value_set: headerCiphertext !== null,
    mapping,
    daily_limit: dailyLimit,
    used_today: await findQuestionsUsed(db, workspaceId, day),
    resets_at: new Date(Date.parse(day) + dayMs).toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
