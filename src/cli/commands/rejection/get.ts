import type { Command } from 'commander';
import type { RejectedRequest } from '../../../contract/diagnostics/rejected-request.ts';
import { severityTexts } from '../../../domain/rejection.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';
import { findRejection } from './find-rejection.ts';

export const getCommand = () =>
  inWorkspace(
    newCommand('get', 'Show why a submission was rejected, by the X-Request-Id of its response.', [
      'rejection get 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('<request-id>', 'the X-Request-Id that the sender received')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { workspaceId, entry } = await findRejection(api, workspace, wanted);
      const found = await api.call('GET', '/workspaces/:workspace_id/rejections/:rejection_id', {
        params: { workspace_id: workspaceId, rejection_id: entry.id },
      });
      const shown = { ...found, docs_url: `${api.url}${found.docs_path}` };
      out.result(shown, textOf(shown));
    });

function textOf(found: RejectedRequest & { readonly docs_url: string }): string {
  const { occurrences, response } = found;
  return detailLines([
    ['Reason', `${found.reason}: ${found.sentence}`],
    ['Severity', `${found.severity} (${severityTexts[found.severity]})`],
    ['Fix', found.fix],
    ['At', found.at],
    ['Surface', found.surface],
    ['Form', named(found.form_name, found.form_id) ?? 'unknown'],
    ['Token', named(found.token_name, found.token_id) ?? 'none'],
    ['Request ID', found.request_id],
    ['Entry', found.id],
    ['Detail', Object.keys(found.detail).length === 0 ? 'none' : found.detail],
    ['Occurred', `${occurrences.last_24_hours} in 24 hours, ${occurrences.last_7_days} in 7 days`],
    [
      'Kept',
      found.kept === 'held' ? `${found.kept_text} See: leadgate held show ${found.id}` : found.kept_text,
    ],
    ['Response', `${response.status} ${response.body}`],
    ['More', found.docs_url],
  ]).join('\n');
}

function named(name: string | null, id: string | null): string | null {
  return name === null ? id : `${name} (${id})`;
}
