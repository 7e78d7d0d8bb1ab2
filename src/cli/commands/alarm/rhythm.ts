import type { Command } from 'commander';
import type { FormRhythm } from '../../../contract/alarms/watching.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';

const unwatched: Readonly<Record<Exclude<FormRhythm['state'], 'watched'>, string>> = {
  learning: 'would not notice yet: there are less than two weeks of leads',
  too_few: 'would not notice: there are fewer than five leads a week',
  inactive: 'would not notice: the form or its workspace accepts no leads',
  off: 'would not notice: turned off in the alarm settings',
};

export const rhythmCommand = () =>
  inWorkspace(
    newCommand('rhythm', 'Show when a form usually gets leads, and when their absence would be noticed.', [
      'alarm rhythm contact',
      'alarm rhythm contact --json | jq .notice_hours',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const { id: form_id, name } = await findForm(api, workspace_id, wanted);
      const rhythm = await api.call('GET', '/workspaces/:workspace_id/forms/:form_id/rhythm', {
        params: { workspace_id, form_id },
      });
      out.result(rhythm, rhythmText(name, rhythm));
    });

function rhythmText(name: string, rhythm: FormRhythm): string {
  return detailLines([
    ['Form', name],
    ['Silence', noticeText(rhythm)],
    ['Leads', `about ${roundedText(rhythm.leads_per_week)} a week`],
    ['Last lead', rhythm.last_accepted_at ?? 'never'],
    ['Learnt from', `${roundedText(rhythm.weeks)} weeks, in ${rhythm.time_zone}`],
    ['Sensitive', rhythm.sensitive ? 'yes' : 'no'],
  ]).join('\n');
}

function noticeText({ state, notice_hours, silent_days }: FormRhythm): string {
  const isOff = state === 'off' || state === 'inactive';
  if (silent_days !== null && !isOff) return `would notice after ${daysText(silent_days)} without a lead`;
  if (notice_hours !== null) return `would notice after about ${durationText(notice_hours)} without a lead`;
  return state === 'watched' ? 'would not notice' : unwatched[state];
}

/** Hours up to two days, then days. */
function durationText(hours: number): string {
  const rounded = Math.max(1, Math.round(hours));
  if (rounded > 48) return daysText(Math.round(hours / 24));
  return rounded === 1 ? '1 hour' : `${rounded} hours`;
}

const daysText = (days: number) => (days === 1 ? '1 day' : `${days} days`);
const roundedText = (value: number) => String(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));
