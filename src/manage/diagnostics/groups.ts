import type { RejectionGroups } from '../../contract/diagnostics/groups.ts';
import * as contract from '../../contract/diagnostics/groups.ts';
import { type GroupBucket, groupRejections } from '../../db/diagnostics/rejection-groups.ts';
import { route } from '../calls/route.ts';
import { bucketLength, bucketStarts, diagnosticsFilter } from './filter.ts';
import { viewReasonCount } from './reason-counts.ts';

export const rejectionGroupRoutes = [
  route(contract.readRejectionGroups, async ({ params, query }, { pool, clock }) => {
    const filter = diagnosticsFilter(query, clock.now());
    const bucketMs = bucketLength(filter);
    const rows = await groupRejections(pool, params.workspace_id, filter, {
      isBySender: query.group_by === 'sender',
      bucketMs,
      limit: contract.groupsMax,
    });
    const starts = bucketStarts(filter, bucketMs);
    const groups = Map.groupBy(rows, groupName);
    const items = [...groups.values()].map((buckets) => viewGroup(buckets, starts));
    return {
      from: new Date(starts[0] ?? filter.from).toISOString(),
      step_seconds: bucketMs / 1000,
      items: items.sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason)),
      more: (rows[0]?.groups ?? 0) - items.length,
    };
  }),
];

function groupName({ reason, surface, formId, tokenId }: GroupBucket): string {
  return [reason, surface, formId, tokenId].join(' ');
}

function viewGroup(
  buckets: readonly GroupBucket[],
  starts: readonly number[],
): RejectionGroups['items'][number] {
  const { reason, surface, formId, tokenId, total, firstAt, lastAt } = buckets[0] as GroupBucket;
  const counts = new Map(buckets.map(({ at, count }) => [at.getTime(), count]));
  return {
    ...viewReasonCount(reason, { count: total, lastAt }),
    surface,
    form_id: formId,
    token_id: tokenId,
    first_at: firstAt.toISOString(),
    counts: starts.map((at) => counts.get(at) ?? 0),
  };
}
