import type { Health } from '../../contract/operator.ts';
import * as contract from '../../contract/operator.ts';
import { countUnattributed } from '../../db/diagnostics/unattributed.ts';
import { type Backlog, countBacklog } from '../../db/ingest/backlog.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { route } from '../calls/route.ts';
import { timeRange } from '../calls/time-range.ts';
import type { ManagementDeps } from '../deps.ts';
import { mostFrequentFirst, viewReasonCount } from '../diagnostics/reason-counts.ts';

export const operatorRoutes = [
  route(contract.countUnattributed, async ({ query }, { pool, clock }) => {
    const { from, to } = timeRange(query, clock.now());
    const counts = await countUnattributed(pool, from, to);
    const items = counts.map(({ surface, reason, ...counted }) => ({
      surface,
      ...viewReasonCount(reason, counted),
    }));
    const total = items.reduce((sum, { count }) => sum + count, 0);
    return { total, items: items.sort(mostFrequentFirst) };
  }),
  route(contract.readHealth, async (_call, deps) => viewHealth(deps, await backlogIfKnown(deps))),
];

/** While the database is down, operators need the other numbers most. */
async function backlogIfKnown({ pool }: ManagementDeps): Promise<Backlog | null> {
  try {
    return await countBacklog(pool);
  } catch (error) {
    if (isUnavailable(error)) return null;
    throw error;
  }
}

function viewHealth({ instance }: ManagementDeps, backlog: Backlog | null): Health {
  const figures = instance();
  return {
    database: { available: figures.isDatabaseAvailable },
    commit_queue: { leads: figures.queueDepth },
    spool: {
      leads: figures.spoolLeads,
      bytes: figures.spoolBytes,
      bytes_max: figures.spoolBytesMax,
      usable: figures.isSpoolUsable,
      quarantined: backlog?.quarantined ?? null,
      refused: backlog?.refused ?? null,
    },
    directory: { age_seconds: figures.directoryAgeMs / 1000 },
    enrichment: {
      noted: backlog?.noted ?? null,
      waiting: backlog?.waiting ?? null,
      failed: backlog?.failed ?? null,
    },
  };
}
