import type { Command } from 'commander';
import type { HeldSummary } from '../../../contract/held/held.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';

interface SummaryOptions extends WorkspaceOption {
  readonly form?: string;
}

export const summaryCommand = () =>
  inWorkspace(
    newCommand('summary', 'Count held submissions, by the reason of their rejection.', [
      'held summary',
      'held summary --form contact --json',
    ]),
  )
    .option('-f, --form <form>', 'only those sent to this form: slug, name or ID')
    .action(async ({ form, workspace }: SummaryOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const form_id = form === undefined ? undefined : (await findForm(api, workspace_id, form)).id;
      const summary = await api.call('GET', '/workspaces/:workspace_id/held/summary', {
        params: { workspace_id },
        query: { form_id },
      });
      out.result(summary, summaryText(summary));
    });

function summaryText(summary: HeldSummary): string {
  const days = summary.kept_days;
  const kept = summary.is_off
    ? 'nothing: turned off by the operator'
    : days === 0
      ? 'nothing'
      : `${days} days`;
  return detailLines([
    ['Held', `${summary.held}, of which ${summary.admissible} can be admitted`],
    ['Bytes', String(summary.bytes)],
    ['Not kept', `${summary.not_kept} in the last 14 days`],
    ['Next expiry', summary.next_expires_at ?? 'none'],
    ['Kept for', kept],
    ...summary.by_reason.map(({ reason, count }) => [reason, String(count)] as const),
  ]).join('\n');
}
