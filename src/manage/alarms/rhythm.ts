import type { FormRhythm } from '../../contract/alarms/watching.ts';
import * as contract from '../../contract/alarms/watching.ts';
import { findAlarmSettings } from '../../db/alarms/alarm-settings.ts';
import { readLastDay } from '../../db/alarms/facts/accepted-leads.ts';
import { findRhythmOfForm, type SourceRhythm } from '../../db/alarms/source-rhythms.ts';
import { findForm } from '../../db/forms/forms.ts';
import { findWorkspace } from '../../db/workspaces/workspaces.ts';
import { type AlarmRule, ruleFor } from '../../domain/alarm/settings.ts';
import { rhythmMs } from '../../domain/alarm/silence/rhythm.ts';
import { noticeHours, type Watchability, watchabilityOf } from '../../domain/alarm/silence/silence.ts';
import { dayMs, hourMs } from '../../time/clock.ts';
import { notFound } from '../calls/problem.ts';
import { route } from '../calls/route.ts';

export const rhythmRoutes = [
  route(contract.readRhythm, async ({ params }, { pool, clock }) => {
    const { workspace_id: workspaceId, form_id: formId } = params;
    const now = clock.now();
    const [form, workspace, { settings }, rhythm] = await Promise.all([
      findForm(pool, workspaceId, formId),
      findWorkspace(pool, workspaceId),
      findAlarmSettings(pool, workspaceId),
      findRhythmOfForm(pool, workspaceId, formId),
    ]);
    if (form === null) throw notFound('form');
    // Since the rhythm was learnt there may have been more.
    const source = { workspaceId, formId, tokenId: null };
    const { lastAt } = await readLastDay(pool, source, new Date(now - 2 * dayMs));
    const rule = ruleFor(settings, { kind: 'silence', formId, tokenId: null });
    const isAccepting = form.active && workspace?.status === 'active';
    const state = stateOf(isAccepting, rule, rhythm, now);
    return {
      form_id: formId,
      time_zone: rhythm?.zone ?? settings.timeZone,
      state,
      notice_hours: noticedAfter(state, rule, rhythm),
      silent_days: rule.silentDays,
      sensitive: rule.isSensitive,
      weeks: rounded(rhythm?.weeks ?? 0),
      leads_per_week: rounded(rhythm === null ? 0 : rhythm.leads / Math.max(1, rhythm.weeks)),
      last_accepted_at: (lastAt ?? rhythm?.lastAcceptedAt)?.toISOString() ?? null,
      expected: rhythm === null ? null : [...rhythm.expected],
      computed_at: rhythm?.computedAt.toISOString() ?? null,
    };
  }),
];

function stateOf(
  isAccepting: boolean,
  rule: AlarmRule,
  rhythm: SourceRhythm | null,
  now: number,
): FormRhythm['state'] {
  if (!isAccepting) return 'inactive';
  if (!rule.isEnabled) return 'off';
  return rhythm === null ? 'learning' : learntState(rhythm, now);
}

/** What was learnt of a form that has had no leads since is too old. */
function learntState(rhythm: SourceRhythm, now: number): Watchability {
  return rhythm.lastAcceptedAt.getTime() < now - rhythmMs ? 'too_few' : watchabilityOf(rhythm);
}

function noticedAfter(
  state: FormRhythm['state'],
  { isSensitive, silentDays }: AlarmRule,
  rhythm: SourceRhythm | null,
): number | null {
  if (rhythm === null || state === 'inactive' || state === 'off') return null;
  const hours = [
    ...(state === 'watched' ? [noticeHours(rhythm, isSensitive)] : []),
    ...(silentDays === null ? [] : [(silentDays * dayMs) / hourMs]),
  ];
  return hours.length === 0 ? null : rounded(Math.min(...hours));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
