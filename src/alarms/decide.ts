import {
  type Alarm,
  type AlarmEnd,
  type AlarmNames,
  type AlarmSubject,
  type AnyAlarmKind,
  type Finding,
  subjectKey,
} from '../domain/alarm/alarm.ts';
import { isAlarmKind, ruleFor } from '../domain/alarm/settings.ts';
import type { Over, Verdicts, WatchedWorkspace } from './rule.ts';
import { worse } from './tell.ts';

/** What is known about a workspace; null for the instance. */
export interface Surroundings {
  readonly workspace: WatchedWorkspace | null;
  /** The names of destinations that exist, by ID. */
  readonly destinations: ReadonlyMap<string, string>;
}

export interface Changes {
  readonly opened: readonly (Finding & { readonly names: AlarmNames })[];
  readonly updated: readonly Updated[];
  readonly closed: readonly Closed[];
}

interface Closed {
  readonly alarm: Alarm;
  readonly as: AlarmEnd;
}

export interface Updated {
  /** As it was. */
  readonly alarm: Alarm;
  readonly finding: Finding;
  readonly names: AlarmNames;
}

/** What the verdicts change, of one workspace or of the instance. */
export function changesOf(
  open: readonly Alarm[],
  { findings, over }: Verdicts,
  around: Surroundings,
): Changes {
  const isWatched = (subject: AlarmSubject) =>
    isEnabled(subject, around) && !isGone(subject, around) && isJudged(subject, around);
  const found = new Map(findings.filter(isWatched).map((finding) => [subjectKey(finding), finding]));
  const ends = new Map(over.map(({ alarmId, as }: Over) => [alarmId, as]));
  const updated: Updated[] = [];
  const closed: Closed[] = [];
  for (const alarm of open) {
    const finding = found.get(subjectKey(alarm));
    found.delete(subjectKey(alarm));
    const as = isWatched(alarm) ? ends.get(alarm.id) : 'removed';
    // What is wrong now is not over, whatever another rule says.
    if (finding !== undefined) updated.push(update(alarm, finding, around));
    else if (as !== undefined) closed.push({ alarm, as });
  }
  const opened = [...found.values()].map((finding) => ({ ...finding, names: namesOf(finding, around) }));
  return { opened, updated, closed };
}

function update(alarm: Alarm, finding: Finding, around: Surroundings): Updated {
  // It never falls: an alarm between two severities would be told again and again.
  const severity = worse(alarm.severity, finding.severity);
  return {
    alarm,
    finding: { ...finding, severity },
    names: { ...alarm.names, ...namesOf(finding, around) },
  };
}

function isEnabled({ kind, formId, tokenId }: AlarmSubject, { workspace }: Surroundings): boolean {
  if (workspace === null || !isAlarmKind(kind)) return true;
  return ruleFor(workspace.settings, { kind, formId, tokenId }).isEnabled;
}

/** Whatever it is about was deleted, or its token revoked. What a change has caused may be about just that. */
function isGone(subject: AlarmSubject, { workspace, destinations }: Surroundings): boolean {
  const { kind, formId, tokenId, destinationId, reason } = subject;
  if (workspace === null || kind === 'after_change') return false;
  if (formId !== null && !workspace.forms.has(formId)) return true;
  if (destinationId !== null && !destinations.has(destinationId)) return true;
  if (tokenId === null) return false;
  const token = workspace.tokens.get(tokenId);
  return token === undefined || (token.revokedAt !== null && reason !== 'token_revoked');
}

const whileSuspended: readonly AnyAlarmKind[] = [
  'after_change',
  'held_waiting',
  'delivery_failing',
  'destination_disabled',
];

/** A suspended workspace rejects everything, and its owners know: that nothing else is found there is no recovery. */
function isJudged({ kind, reason }: AlarmSubject, { workspace }: Surroundings): boolean {
  if (workspace === null || !workspace.isSuspended) return true;
  return whileSuspended.includes(kind) && (kind !== 'after_change' || reason === 'workspace_suspended');
}

function namesOf(
  { formId, tokenId, destinationId }: AlarmSubject,
  { workspace, destinations }: Surroundings,
): AlarmNames {
  const form = workspace?.forms.get(formId ?? '')?.name;
  const token = workspace?.tokens.get(tokenId ?? '')?.name;
  const destination = destinations.get(destinationId ?? '');
  return {
    ...(form === undefined ? {} : { form }),
    ...(token === undefined ? {} : { token }),
    ...(destination === undefined ? {} : { destination }),
  };
}
