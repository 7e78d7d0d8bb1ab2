import type { Command } from 'commander';
import { describeReason, severityTexts } from '../../../domain/rejection.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';
import type { RejectionEntry } from './filter.ts';

export const getCommand = () =>
  inWorkspace(
    newCommand('get', 'Show why a submission was rejected, by the X-Request-Id of its response.', [
      'rejection get 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .argument('<request-id>', 'the X-Request-Id that the sender received')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const request_id = idArgument('request ID', wanted);
      const { api, out } = sessionOf(command);
      const { id, name } = await findWorkspace(api, workspace);
      const { items } = await api.call('GET', '/workspaces/:workspace_id/diagnostics', {
        params: { workspace_id: id },
        query: { request_id, limit: 1 },
      });
      const [entry] = items;
      if (entry === undefined) throw new CliError('missing', missingText(request_id, name));
      const shown = { ...entry, ...explained(entry, api.url) };
      out.result(shown, textOf(shown));
    });

type Explained = RejectionEntry & ReturnType<typeof explained>;

function explained({ reason, anchor }: RejectionEntry, url: string) {
  const { text, fix } = describeReason(reason);
  return { text, fix, docs_url: `${url}/docs/rejection-reasons#${anchor}` };
}

function textOf(entry: Explained): string {
  return detailLines([
    ['Reason', `${entry.reason}: ${entry.text}`],
    ['Severity', `${entry.severity} (${severityTexts[entry.severity]})`],
    ['Happened', entry.sentence],
    ['Fix', entry.fix],
    ['At', entry.at],
    ['Surface', entry.surface],
    ['Form', entry.form_id ?? 'unknown'],
    ['Token', entry.token_id ?? 'none'],
    ['Request ID', entry.request_id],
    ['Entry', entry.id],
    ['Detail', Object.keys(entry.detail).length === 0 ? 'none' : entry.detail],
    ['More', entry.docs_url],
  ]).join('\n');
}

function missingText(requestId: string, workspace: string): string {
  return [
    `${workspace} has no rejection with the request ID ${requestId}.`,
    'The request may have been accepted, belong to another workspace, or be too old. Rejections with an unknown token',
    'or slug belong to no workspace and are only counted. If there are many in a minute, only some are kept.',
  ].join(' ');
}
