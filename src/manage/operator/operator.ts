import * as contract from '../../contract/operator.ts';
import { countUnattributed } from '../../db/diagnostics/unattributed.ts';
import { route } from '../calls/route.ts';
import { timeRange } from '../calls/time-range.ts';
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
];
