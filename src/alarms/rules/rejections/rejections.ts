import type { Rule } from '../../rule.ts';
import { judgeAfterChange } from './after-change.ts';
import { judgeAllRejected } from './all-rejected.ts';
import { LastAccepted } from './last-accepted.ts';
import { judgeRejectSpike, UsualCounts } from './reject-spike.ts';
import { openAfter, sourcesOf } from './sources.ts';

/**
 * after_change, all_rejected and reject_spike, in this order: the same requests are told once, by the alarm that says most
 * about them. A change explains why all are rejected, and that all are rejected says more than that there are many.
 */
export function rejectionsRule(): Rule {
  const lastAccepted = new LastAccepted();
  const usualCounts = new UsualCounts();
  return {
    kinds: ['after_change', 'all_rejected', 'reject_spike'],
    everyMinutes: 1,
    async judge(judgement) {
      lastAccepted.see(judgement);
      const sources = sourcesOf(judgement);
      const changed = await judgeAfterChange(judgement, lastAccepted);
      const changes = openAfter(judgement, 'after_change', changed);
      const rejected = await judgeAllRejected(judgement, sources, lastAccepted, changes);
      const told = [...changes, ...openAfter(judgement, 'all_rejected', rejected)];
      const spiked = await judgeRejectSpike(judgement, sources, usualCounts, told);
      const all = [changed, rejected, spiked];
      return {
        findings: all.flatMap(({ findings }) => findings),
        over: all.flatMap(({ over }) => over),
      };
    },
  };
}
