import { listAuditedChanges } from '../../../db/alarms/facts/audited-changes.ts';
import { type RejectionsAsked, readRejectionsSince } from '../../../db/alarms/facts/rejections-since.ts';
import { onNode } from '../../../db/alarms/facts/sources.ts';
import {
  type Alarm,
  type AlarmSeverity,
  type AlarmSubject,
  type Finding,
  subjectKey,
} from '../../../domain/alarm/alarm.ts';
import {
  authorOf,
  type Cause,
  causedRejection,
  causesOf,
  causingActions,
  changeAgeMsMax,
  delayedActions,
  delayMsMax,
  endOfAfterChange,
  isCausedBy,
  type RejectionsSince,
} from '../../../domain/alarm/rejections/after-change.ts';
import type { Surface } from '../../../domain/surface.ts';
import type { Judgement, Over, RecentCounts, Verdicts, WatchedWorkspace } from '../../rule.ts';
import { foundAgain, timeIn } from '../evidence.ts';
import type { LastAccepted } from './last-accepted.ts';

/** Rejections that began after a change, or an alarm about them. */
interface Case {
  readonly subject: AlarmSubject & { readonly workspaceId: string; readonly reason: string };
  /** When the change took effect. */
  readonly since: Date;
  readonly cause: Cause | null;
  readonly alarm: Alarm | null;
}

/** One surface of a case. */
interface Part extends RejectionsAsked {
  readonly of: Case;
}

/** Requests are rejected for a reason since someone changed something that explains it. */
export async function judgeAfterChange(judgement: Judgement, lastAccepted: LastAccepted): Promise<Verdicts> {
  const open = judgement.allOpen.filter(({ kind }) => kind === 'after_change');
  const cases = [...open.flatMap((alarm) => openCase(alarm) ?? []), ...(await newCases(judgement, open))];
  const parts = cases.flatMap(partsOf);
  const counted = new Map<Part, RejectionsSince>();
  for (const shards of judgement.shardGroups) {
    const ofNode = onNode(parts, shards);
    if (ofNode.length === 0) continue;
    const read = await readRejectionsSince(judgement.pool, ofNode);
    for (const [index, part] of ofNode.entries()) counted.set(part, read[index] as RejectionsSince);
  }
  const acceptedOf = await acceptedByPart(judgement, lastAccepted, parts);

  const findings: Finding[] = [];
  const over: Over[] = [];
  const partsByCase = Map.groupBy(parts, (part) => part.of);
  for (const one of cases) {
    const known = (partsByCase.get(one) ?? []).map((part) => ({
      ...part,
      counts: counted.get(part) as RejectionsSince,
      acceptedAt: acceptedOf(part),
    }));
    const verdict = judgeCase(one, known, judgement.now);
    if (verdict === null) continue;
    if (!('as' in verdict)) findings.push(verdict);
    else if (one.alarm !== null) over.push({ alarmId: one.alarm.id, as: verdict.as });
  }
  return { findings, over };
}

function openCase(alarm: Alarm): Case | null {
  const { workspaceId, reason, evidence } = alarm;
  if (workspaceId === null || reason === null || causedRejection(reason) === null) return null;
  const since = timeIn(evidence, 'since') ?? alarm.openedAt;
  return { subject: { ...alarm, workspaceId, reason }, since, cause: null, alarm };
}

/** Rejections of the last hour that a change of their workspace can have caused, and that no alarm is about. */
async function newCases(
  { counts, workspaces, pool, now }: Judgement,
  open: readonly Alarm[],
): Promise<Case[]> {
  const known = new Set(open.map(subjectKey));
  const subjects = new Map<string, Case['subject']>();
  for (const counted of counts) {
    const subject = subjectOf(counted);
    if (subject === null || !isWatched(workspaces.get(subject.workspaceId), subject)) continue;
    if (!known.has(subjectKey(subject))) subjects.set(subjectKey(subject), subject);
  }
  if (subjects.size === 0) return [];
  const workspaceIds = [...new Set([...subjects.values()].map(({ workspaceId }) => workspaceId))];
  const since = (ms: number) => new Date(now.getTime() - ms);
  const actions = causingActions.map((action) => ({
    action,
    since: since(changeAgeMsMax + (delayedActions.includes(action) ? delayMsMax : 0)),
  }));
  const changes = await listAuditedChanges(pool, workspaceIds, actions);
  const causes = changes
    .flatMap(causesOf)
    .filter(({ effectiveAt }) => effectiveAt <= now && effectiveAt >= since(changeAgeMsMax))
    .toSorted((a, b) => b.effectiveAt.getTime() - a.effectiveAt.getTime());
  const byWorkspace = Map.groupBy(causes, ({ change }) => change.workspaceId);
  return [...subjects.values()].flatMap((subject) => {
    const cause = byWorkspace.get(subject.workspaceId)?.find((one) => isAbout(one, subject));
    return cause === undefined ? [] : [{ subject, since: cause.effectiveAt, cause, alarm: null }];
  });
}

function subjectOf({ workspaceId, formId, tokenId, surface, outcome }: RecentCounts): Case['subject'] | null {
  const caused = causedRejection(outcome);
  if (caused?.surfaces[surface] === undefined) return null;
  const source = caused.ofWorkspace?.includes(surface)
    ? { formId: null, tokenId: null }
    : { formId, tokenId };
  return { workspaceId, kind: 'after_change', ...source, destinationId: null, reason: outcome };
}

/** Of a suspended workspace, only that it is. */
function isWatched(workspace: WatchedWorkspace | undefined, { formId, tokenId, reason }: Case['subject']) {
  if (workspace === undefined || (workspace.isSuspended && reason !== 'workspace_suspended')) return false;
  return (
    (formId === null || workspace.forms.has(formId)) && (tokenId === null || workspace.tokens.has(tokenId))
  );
}

function isAbout({ change, reason, isOfWorkspace = false }: Cause, subject: Case['subject']): boolean {
  if (reason !== subject.reason || isOfWorkspace !== (subject.formId === null)) return false;
  if (isOfWorkspace) return true;
  if (reason === 'token_revoked') return change.tokenId === subject.tokenId;
  return change.formId === subject.formId;
}

function partsOf(one: Case): Part[] {
  const { workspaceId, formId, tokenId, reason } = one.subject;
  const { surfaces = {}, ofWorkspace = [] } = causedRejection(reason) ?? {};
  const isOfSubject = (surface: Surface) =>
    formId === null
      ? ofWorkspace.includes(surface)
      : !ofWorkspace.includes(surface) && (surface === 'server') === (tokenId !== null);
  return (Object.keys(surfaces) as Surface[]).filter(isOfSubject).map((surface) => ({
    ...{ of: one, workspaceId, surface, reason, since: one.since },
    source: formId === null ? null : { formId, tokenId },
  }));
}

/** Of a workspace: the last one of the last hour, from any source on the surface. */
async function acceptedByPart(
  judgement: Judgement,
  lastAccepted: LastAccepted,
  parts: readonly Part[],
): Promise<(part: Part) => Date | null> {
  const nameOf = ({ workspaceId, source, surface }: Part) => source && { workspaceId, ...source, surface };
  const lastOf = await lastAccepted.of(
    judgement,
    parts.flatMap((part) => nameOf(part) ?? []),
  );
  return (part) => {
    const name = nameOf(part);
    if (name !== null) return lastOf(name);
    const { workspaceId, surface } = part;
    const times = judgement.counts
      .filter((counted) => counted.workspaceId === workspaceId && counted.surface === surface)
      .flatMap(({ outcome, lastAt }) => (outcome === 'accepted' ? [lastAt] : []));
    return latest(times);
  };
}

interface KnownPart extends Part {
  readonly counts: RejectionsSince;
  readonly acceptedAt: Date | null;
}

function judgeCase({ subject, since, cause, alarm }: Case, parts: readonly KnownPart[], now: Date) {
  const surfaces = causedRejection(subject.reason)?.surfaces ?? {};
  const as = endOfAfterChange({
    since,
    isUnproven: parts.every(({ surface }) => surfaces[surface] === 'unproven'),
    lastRejectedAt: latest(parts.map(({ counts }) => counts.lastAt)),
    lastAcceptedAt: latest(parts.map(({ acceptedAt }) => acceptedAt)),
    now,
  });
  if (as !== null) return { as };
  if (alarm !== null) return continued(alarm, parts);
  const guilty = parts.filter(({ surface, counts, acceptedAt }) => {
    const proof = surfaces[surface];
    return proof !== undefined && isCausedBy(since, proof, counts, acceptedAt);
  });
  if (guilty.length === 0 || cause === null) return null;
  const { change, text } = cause;
  const isOnlyPages = guilty.every(({ surface }) => surface === 'browser');
  const severity: AlarmSeverity = isOnlyPages ? 'medium' : 'high';
  return {
    ...subject,
    severity,
    evidence: {
      change: { action: change.action, text, at: change.at.toISOString(), by: authorOf(change) },
      since: since.toISOString(),
      rejected: sum(guilty.map(({ counts }) => counts.rejected)),
      first_at: earliest(guilty.map(({ counts }) => counts.firstAt))?.toISOString() ?? null,
    },
  } satisfies Finding;
}

/** Only if there were more since: an alarm that is found again has lasted until now. */
function continued(alarm: Alarm, parts: readonly KnownPart[]): Finding | null {
  const rejected = sum(parts.map(({ counts }) => counts.rejected));
  if (rejected === alarm.evidence.rejected) return null;
  return foundAgain(alarm, { ...alarm.evidence, rejected });
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((last, at) => (at !== null && (last === null || at > last) ? at : last), null);
}

function earliest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null);
}
