import * as contract from '../../contract/operator.ts';
import { countUnattributed } from '../../db/diagnostics/unattributed.ts';
import { countUnattributedRequest } from '../../db/diagnostics/unattributed-requests.ts';
import { route } from '../calls/route.ts';
import { timeRange } from '../calls/time-range.ts';
import { requestSearchDays } from '../diagnostics/filter.ts';
import { mostFrequentFirst, viewReasonCount } from '../diagnostics/reason-counts.ts';

export const operatorRoutes = [
  route(contract.countUnattributed, async ({ query }, { pool, clock }) => {
    const { request_id: requestId } = query;
    const { from, to } = timeRange(query, clock.now(), requestId === undefined ? 1 : requestSearchDays);
    const counts =
      requestId === undefined
        ? await countUnattributed(pool, from, to)
        : await countUnattributedRequest(pool, requestId, from, to);
    const items = counts.map(({ surface, reason, ...counted }) => ({
      surface,
      ...viewReasonCount(reason, counted),
    }));
    const total = items.reduce((sum, { count }) => sum + count, 0);
    return { total, items: items.sort(mostFrequentFirst) };
  }),
];
