import { type HeldExpiring, listHeldExpiring } from '../../db/alarms/facts/held-expiring.ts';
import { dayMs } from '../../time/clock.ts';
import type { Over, Rule } from '../rule.ts';
import { aboutWorkspace, timeIn } from './evidence.ts';

const kind = 'held_waiting';
const expiresWithinMs = 3 * dayMs;

/** Held submissions that could become leads and are soon deleted. */
export function heldWaitingRule(): Rule {
  return {
    kinds: [kind],
    everyMinutes: 10,
    async judge({ pool, now, shardGroups, workspaces, open }) {
      const until = new Date(now.getTime() + expiresWithinMs);
      const expiring: HeldExpiring[] = [];
      for (const shards of shardGroups) expiring.push(...(await listHeldExpiring(pool, shards, now, until)));
      const watched = expiring.filter(({ workspaceId }) => workspaces.has(workspaceId));
      const found = new Set(watched.map(({ workspaceId }) => workspaceId));
      return {
        findings: watched.map(({ workspaceId, count, firstExpiresAt, lastExpiresAt }) => ({
          ...{ ...aboutWorkspace, workspaceId, kind, severity: 'medium' },
          evidence: {
            count,
            first_expires_at: firstExpiresAt.toISOString(),
            last_expires_at: lastExpiresAt.toISOString(),
          },
        })),
        over: open
          .filter(({ workspaceId }) => workspaceId !== null && !found.has(workspaceId))
          .map(({ id, evidence }): Over => {
            const lastAt = timeIn(evidence, 'last_expires_at');
            // Someone decided in time, or it is too late: then there is nothing good to tell.
            return { alarmId: id, as: lastAt !== null && lastAt <= now ? 'removed' : 'recovered' };
          }),
      };
    },
  };
}
