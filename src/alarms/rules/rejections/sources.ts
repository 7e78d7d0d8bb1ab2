import type { Alarm, AlarmSubject, Finding } from '../../../domain/alarm/alarm.ts';
import { isAlarmKind, ruleFor } from '../../../domain/alarm/settings.ts';
import type { Surface } from '../../../domain/surface.ts';
import type { Judgement, RecentCounts, WatchedWorkspace } from '../../rule.ts';

/** One that sends leads on one surface: a token, or a form whose requests are signed or come from web pages. */
export interface Source {
  readonly workspaceId: string;
  readonly formId: string;
  readonly tokenId: string | null;
  readonly surface: Surface;
  /** Null if there is none in the last hour. */
  accepted: RecentCounts | null;
  readonly rejections: RecentCounts[];
}

/** With requests in the last hour, to forms that exist, in workspaces that are not suspended. */
export function sourcesOf({ counts, workspaces }: Judgement): Source[] {
  const sources = new Map<string, Source>();
  for (const counted of counts) {
    const workspace = workspaces.get(counted.workspaceId);
    if (workspace === undefined || workspace.isSuspended || !isWatched(workspace, counted)) continue;
    const key = sourceKey(counted);
    let source = sources.get(key);
    if (source === undefined) {
      const { workspaceId, formId, tokenId, surface } = counted;
      source = { workspaceId, formId, tokenId, surface, accepted: null, rejections: [] };
      sources.set(key, source);
    }
    if (counted.outcome === 'accepted') source.accepted = counted;
    else source.rejections.push(counted);
  }
  return [...sources.values()];
}

function isWatched({ forms, tokens }: WatchedWorkspace, { formId, tokenId }: RecentCounts): boolean {
  return forms.has(formId) && (tokenId === null || tokens.has(tokenId));
}

type SourceName = Pick<Source, 'workspaceId' | 'formId' | 'tokenId' | 'surface'>;

export function sourceKey({ workspaceId, formId, tokenId, surface }: SourceName): string {
  return `${workspaceId} ${formId} ${tokenId} ${surface}`;
}

/** Whether owners want to know: only then does an alarm take the place of another. */
function isWanted(judgement: Judgement, { workspaceId, kind, formId, tokenId }: AlarmSubject): boolean {
  const settings = workspaceId === null ? undefined : judgement.workspaces.get(workspaceId)?.settings;
  if (settings === undefined || !isAlarmKind(kind)) return true;
  return ruleFor(settings, { kind, formId, tokenId }).isEnabled;
}

/** What is open after this judgement, of one kind. */
export function openAfter(
  judgement: Judgement,
  kind: Finding['kind'],
  { findings, over }: { findings: readonly Finding[]; over: readonly { readonly alarmId: string }[] },
): AlarmSubject[] {
  const closed = new Set(over.map(({ alarmId }) => alarmId));
  const open: readonly (Alarm | Finding)[] = [
    ...judgement.allOpen.filter((alarm) => alarm.kind === kind && !closed.has(alarm.id)),
    ...findings.filter((finding) => finding.kind === kind),
  ];
  return open.filter((subject) => isWanted(judgement, subject));
}

export function isSuspended({ workspaces }: Judgement, { workspaceId }: AlarmSubject): boolean {
  return workspaceId !== null && workspaces.get(workspaceId)?.isSuspended === true;
}
