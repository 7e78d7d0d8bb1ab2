import type { Command } from 'commander';
import type { WholeHeldSubmission } from '../../../contract/held/held.ts';
import { rejectionReasons } from '../../../domain/rejection.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { detailLines } from '../../terminal/details.ts';

export const showCommand = () =>
  inWorkspace(
    newCommand('show', 'Show a held submission with its body.', [
      'held show 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'held show 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10 --json | jq -r .body',
    ]),
  )
    .argument('<id>', 'its ID, which is that of its rejection')
    .action(async (id: string, { workspace }: WorkspaceOption, command: Command) => {
      const held_id = idArgument('held submission ID', id);
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const held = await api.call('GET', '/workspaces/:workspace_id/held/:held_id', {
        params: { workspace_id, held_id },
      });
      out.result(held, heldText(held));
    });

/** As a program would write it. */
function requestText({ method, path, headers }: NonNullable<WholeHeldSubmission['request']>): string {
  return [`${method} ${path ?? ''}`, ...headers.map(({ name, value }) => `${name}: ${value}`)].join('\n');
}

function heldText(held: WholeHeldSubmission): string {
  const { request, body, decided_at, decided_by, submission_id, twin_of } = held;
  const text = rejectionReasons.find(({ code }) => code === held.reason)?.text ?? '';
  return detailLines([
    ['Id', held.id],
    ['Reason', `${held.reason}: ${text}`],
    ['Class', `${held.class}, ${held.is_admissible ? 'can be admitted' : 'cannot be admitted'}`],
    ...(held.sender === null ? [] : ([['Sender', held.sender.name]] as const)),
    ['Received', held.received_at],
    ['Expires', held.expires_at],
    ['Surface', held.surface],
    ['Form', held.form_id],
    ['Request ID', held.request_id],
    ...(twin_of === null ? [] : ([['Equals', `lead ${twin_of}`]] as const)),
    ['State', decided_at === null ? held.state : `${held.state} at ${decided_at} by ${decided_by}`],
    ...(submission_id === null ? [] : ([['Lead', submission_id]] as const)),
    ...(request === null ? [] : ([['Request', requestText(request)]] as const)),
    ['Body', body ?? (held.state === 'held' ? '(encrypted with a missing key)' : '(deleted)')],
  ]).join('\n');
}
