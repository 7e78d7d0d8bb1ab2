import type { Alarm, AlarmSubject, Evidence, Finding } from '../../domain/alarm/alarm.ts';

/** Evidence comes back from the database, perhaps from another version, so nothing in it is certain. */
export function numberIn(evidence: Evidence, name: string): number | null {
  const value = evidence[name];
  return typeof value === 'number' ? value : null;
}

function textIn(evidence: Evidence, name: string): string | null {
  const value = evidence[name];
  return typeof value === 'string' ? value : null;
}

export function timeIn(evidence: Evidence, name: string): Date | null {
  const at = new Date(textIn(evidence, name) ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}

/** About a workspace, unless more is said. */
export const aboutWorkspace = { formId: null, tokenId: null, destinationId: null, reason: null } as const;

/** An alarm whose cause continues. */
export function foundAgain(alarm: Alarm, evidence: Evidence = alarm.evidence): Finding {
  const { workspaceId, kind, formId, tokenId, destinationId, reason, severity } = alarm;
  return { workspaceId, kind, formId, tokenId, destinationId, reason, severity, evidence };
}

/** By what alarms about the same source can be compared, whatever their kind. */
export function subjectSource({
  workspaceId,
  formId,
  tokenId,
}: Omit<AlarmSubject, 'kind' | 'reason' | 'destinationId'>): string {
  return `${workspaceId} ${formId} ${tokenId}`;
}
