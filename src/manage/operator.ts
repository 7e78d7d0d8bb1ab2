import { unattributed, unattributedQuery } from '../contract/diagnostics.ts';
import { countUnattributed } from '../db/unattributed.ts';
import { mostFrequentFirst, viewReasonCount } from './reason-counts.ts';
import { json, route } from './route.ts';
import { timeRange } from './time-range.ts';

export const operatorRoutes = [
  route({
    method: 'get',
    path: '/operator/unattributed',
    tag: 'Operator',
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
];
