import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { destinationParams } from '../../find.ts';
import { durationSeconds } from '../../input.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';

interface RotateOptions extends WorkspaceOption {
  readonly overlap: string;
}

export const rotateCommand = () =>
  inWorkspace(
    newCommand('rotate', 'Generate a new signing secret for a webhook and print it once.', [
      'destination rotate CRM',
      'destination rotate CRM --overlap 7d > secret.txt',
    ]),
  )
    .argument('<destination>', 'its name or ID')
    .option('--overlap <duration>', 'how long requests are signed with both secrets: 0 to 7d', '24h')
    .action(async (wanted: string, { workspace, overlap }: RotateOptions, command: Command) => {
      const overlap_seconds = durationSeconds(overlap);
      const { api, out } = sessionOf(command);
      const rotated = await api.call(
        'POST',
        '/workspaces/:workspace_id/destinations/:destination_id/secret-rotation',
        { params: await destinationParams(api, workspace, wanted), body: { overlap_seconds } },
      );
      const until = rotated.previous_secret_valid_until;
      const both = until === null ? '' : ` Requests are signed with both secrets until ${until}.`;
      out.note(`The secret is shown only once.${both}`);
      out.result(rotated, rotated.secret);
    });
