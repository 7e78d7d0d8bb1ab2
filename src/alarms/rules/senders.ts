import { listReusedKeys, type ReusedKey } from '../../db/alarms/facts/reused-keys.ts';
import { listSenderCalls, type SenderCalls } from '../../db/alarms/facts/sender-calls.ts';
import { type Finding, subjectKey } from '../../domain/alarm/alarm.ts';
import { dayMs, hourMs } from '../../time/clock.ts';
import type { Judgement, Rule, Verdicts } from '../rule.ts';

/** An alarm is over after so long without anything new. */
const quietMs = dayMs;
const leadsMin = 5;

/** A known sender posts to a form, which cannot accept its calls. Each form has one alarm for each sender. */
export function senderUnsupportedRule(): Rule {
  const kind = 'sender_unsupported';
  return {
    kinds: [kind],
    everyMinutes: 1,
    async judge(judgement) {
      const { pool, now, shardGroups } = judgement;
      const since = new Date(now.getTime() - quietMs);
      const found: SenderCalls[] = [];
      for (const shards of shardGroups) found.push(...(await listSenderCalls(pool, shards, since)));
      const findings = found.map(({ workspaceId, formId, sender, count, lastAt }) => ({
        ...({ workspaceId, kind, formId, tokenId: null, destinationId: null, reason: sender } as const),
        severity: 'high' as const,
        evidence: { calls: count, last_at: lastAt.toISOString() },
      }));
      return verdicts(judgement, findings);
    },
  };
}

/** Senders who send the same idempotency key with different leads lose all but the first, and are told that all is well. */
export function keyReusedRule(): Rule {
  const kind = 'key_reused';
  return {
    kinds: [kind],
    everyMinutes: 1,
    async judge(judgement) {
      const { pool, now, shardGroups } = judgement;
      const since = new Date(now.getTime() - hourMs);
      const found: ReusedKey[] = [];
      for (const shards of shardGroups) found.push(...(await listReusedKeys(pool, shards, since, leadsMin)));
      const findings = found.map(({ workspaceId, formId, leads, isSecret }) => ({
        ...({ workspaceId, kind, formId, tokenId: null, destinationId: null, reason: null } as const),
        severity: 'high' as const,
        evidence: { leads, is_secret: isSecret },
      }));
      return verdicts(judgement, findings);
    },
  };
}

/** Judges forms that still exist. An alarm is over when nothing was found of its subject for a day. */
function verdicts({ now, open, workspaces }: Judgement, found: readonly Finding[]): Verdicts {
  const findings = found.filter(
    ({ workspaceId, formId }) => workspaces.get(workspaceId ?? '')?.forms.has(formId ?? '') === true,
  );
  const keys = new Set(findings.map(subjectKey));
  const quiet = open.filter(
    (alarm) => !keys.has(subjectKey(alarm)) && now.getTime() - alarm.lastAt.getTime() > quietMs,
  );
  return { findings, over: quiet.map(({ id }) => ({ alarmId: id, as: 'recovered' as const })) };
}
