import {
  listEndingOverlaps,
  type Overlap,
  readOverlapUses,
  readReplacements,
} from '../../db/alarms/facts/expiring.ts';
import { onNode } from '../../db/alarms/facts/sources.ts';
import type { Alarm, AlarmEnd, Finding } from '../../domain/alarm/alarm.ts';
import { subjectKey } from '../../domain/alarm/alarm.ts';
import { expiryLevel, isStillUsed } from '../../domain/alarm/limits/expiry-level.ts';
import { dayMs } from '../../time/clock.ts';
import type { Judgement, Over, Rule, Verdicts, WatchedToken } from '../rule.ts';
import { aboutWorkspace, timeIn } from './evidence.ts';

const kind = 'expiry_near';

/** Tokens and former webhook secrets that are used and soon no longer valid. */
export function expiryNearRule(): Rule {
  return {
    kinds: [kind],
    everyMinutes: 10,
    async judge(judgement) {
      const all = [await judgeTokens(judgement), await judgeOverlaps(judgement)];
      return { findings: all.flatMap(({ findings }) => findings), over: all.flatMap(({ over }) => over) };
    },
  };
}

async function judgeTokens(judgement: Judgement): Promise<Verdicts> {
  const { pool, now, workspaces } = judgement;
  const ending = [...workspaces.values()]
    .filter(({ isSuspended }) => !isSuspended)
    .flatMap(({ id, tokens }) => [...tokens.values()].map((token) => ({ ...token, workspaceId: id })))
    .filter((token) => levelOf(token, now) !== null && token.lastUsedAt !== null);
  const replaced =
    ending.length === 0
      ? new Map<string, Date>()
      : await readReplacements(
          pool,
          ending.map(({ id }) => id),
        );
  const told = new Set(judgement.open.map(({ tokenId }) => tokenId));
  const findings = ending.flatMap((token): Finding[] => {
    const { workspaceId, formId, lastUsedAt, expiresAt } = token;
    const replacedAt = replaced.get(token.id) ?? null;
    if (!isStillUsed({ lastUsedAt, replacedAt, isTold: told.has(token.id) }, now)) return [];
    return [
      {
        ...{ ...aboutWorkspace, workspaceId, kind, formId, tokenId: token.id },
        reason: `days_${levelOf(token, now)}`,
        severity: 'medium',
        evidence: {
          expires_at: expiresAt?.toISOString() ?? null,
          last_used_at: lastUsedAt?.toISOString() ?? null,
          is_replaced: replaced.has(token.id),
        },
      },
    ];
  });
  const found = new Set(findings.map(subjectKey));
  const foundTokens = new Set(findings.map(({ tokenId }) => tokenId));
  const over = judgement.open
    .filter((alarm) => alarm.tokenId !== null && !found.has(subjectKey(alarm)))
    .map((alarm): Over => {
      const isCloser = foundTokens.has(alarm.tokenId);
      return { alarmId: alarm.id, as: isCloser ? 'superseded' : endOf(judgement, alarm) };
    });
  return { findings, over };
}

function levelOf({ createdAt, expiresAt, revokedAt }: WatchedToken, now: Date) {
  return expiresAt === null || revokedAt !== null ? null : expiryLevel({ createdAt, expiresAt }, now);
}

/** Nobody is told that a token has expired as if that were good news. */
function endOf({ workspaces, now }: Judgement, { workspaceId, tokenId }: Alarm): AlarmEnd {
  const token = workspaces.get(workspaceId ?? '')?.tokens.get(tokenId ?? '');
  if (token === undefined || token.revokedAt !== null) return 'removed';
  return token.expiresAt !== null && token.expiresAt <= now ? 'removed' : 'recovered';
}

async function judgeOverlaps(judgement: Judgement): Promise<Verdicts> {
  const { pool, now, workspaces, shardGroups } = judgement;
  const until = new Date(now.getTime() + dayMs);
  const ending = (await listEndingOverlaps(pool, now, until)).filter(({ workspaceId, formId }) => {
    const workspace = workspaces.get(workspaceId);
    return workspace?.isSuspended === false && workspace.forms.has(formId);
  });
  const findings: Finding[] = [];
  for (const shards of shardGroups) {
    const ofNode = onNode(ending, shards);
    const uses = ofNode.length === 0 ? [] : await readOverlapUses(pool, ofNode);
    findings.push(...ofNode.flatMap((overlap, index) => overlapFinding(overlap, uses[index] ?? null, now)));
  }
  const found = new Set(findings.map(subjectKey));
  const over = judgement.open
    .filter((alarm) => alarm.reason === 'overlap' && !found.has(subjectKey(alarm)))
    .map((alarm): Over => {
      const endsAt = timeIn(alarm.evidence, 'ends_at');
      const isEnded = endsAt === null || endsAt <= now;
      return { alarmId: alarm.id, as: isEnded ? 'removed' : 'recovered' };
    });
  return { findings, over };
}

function overlapFinding({ workspaceId, formId, endsAt }: Overlap, usedAt: Date | null, now: Date): Finding[] {
  if (usedAt === null || now.getTime() - usedAt.getTime() > dayMs) return [];
  const evidence = { ends_at: endsAt.toISOString(), last_used_at: usedAt.toISOString() };
  return [{ ...aboutWorkspace, workspaceId, kind, formId, reason: 'overlap', severity: 'medium', evidence }];
}
