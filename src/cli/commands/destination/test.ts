import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { CliError } from '../../exit.ts';
import { destinationParams } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { styled } from '../../output.ts';
import { printable } from '../../terminal/safe-text.ts';

export const testCommand = () =>
  inWorkspace(
    newCommand('test', 'Send a sample to a destination and show what the receiver responds.', [
      'destination test CRM',
      'destination test CRM --json | jq .request.body',
    ]),
  )
    .argument('<destination>', 'its name or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const sent = await api.call('POST', '/workspaces/:workspace_id/destinations/:destination_id/test', {
        params: await destinationParams(api, workspace, wanted),
      });
      const status = sent.status === null ? 'no response' : `status ${sent.status}`;
      const result = `${sent.delivered ? 'delivered' : 'failed'}: ${status} after ${sent.took_ms} ms`;
      const head = sent.response_head ? `\n${printable(sent.response_head)}` : '';
      out.result(sent, styled(sent.delivered ? 'green' : 'red', result) + head);
      if (!sent.delivered)
        throw new CliError('failure', sent.error ?? 'The receiver did not accept the test.');
    });
