import { unattributed, unattributedQuery } from '../../contract/diagnostics.ts';
import { type Health, health } from '../../contract/operator.ts';
import { countUnattributed } from '../../db/diagnostics/unattributed.ts';
import { type Backlog, countBacklog } from '../../db/ingest/backlog.ts';
import { isUnavailable } from '../../db/unavailable.ts';
import { json, route } from '../calls/route.ts';
import { timeRange } from '../calls/time-range.ts';
import type { ManagementDeps } from '../deps.ts';
import { mostFrequentFirst, viewReasonCount } from '../diagnostics/reason-counts.ts';

const tag = 'Operator';

export const operatorRoutes = [
  route({
    method: 'get',
    path: '/operator/unattributed',
    tag,
    summary: 'Count the rejections that name no workspace',
    access: 'operator',
    query: unattributedQuery,
    answer: json(200, unattributed),
    async handle({ query }, { pool, clock }) {
      const { from, to } = timeRange(query, clock.now());
      const counts = await countUnattributed(pool, from, to);
      const items = counts.map(({ surface, reason, ...counted }) => ({
        surface,
        ...viewReasonCount(reason, counted),
      }));
      const total = items.reduce((sum, { count }) => sum + count, 0);
      return { total, items: items.sort(mostFrequentFirst) };
    },
  }),
  route({
    method: 'get',
    path: '/operator/health',
    tag,
    summary: 'Read the health of the service',
    description: 'Spool, queue and directory of the instance that answers; the backlogs of all.',
    access: 'operator',
    answer: json(200, health),
    handle: async (_call, deps) => viewHealth(deps, await backlogIfKnown(deps)),
  }),
];

/** While the database is away, an operator needs the rest more than ever. */
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
