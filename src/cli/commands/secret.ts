import type { Command } from 'commander';
import { newCommand, sessionOf } from '../command.ts';
import { formParams } from '../find.ts';
import { durationSeconds, readSecret } from '../input.ts';
import { inWorkspace, type WorkspaceOption } from '../options.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../terminal/confirm.ts';

interface RotationOptions extends WorkspaceOption {
  readonly overlap: string;
}

const overlapText = 'how long the previous secret stays valid: 0 to 7d';

const set = () =>
  inWorkspace(
    newCommand('set', 'Set the webhook secret of a form to your own: LEADGATE_SECRET, or one you type.', [
      'secret set contact --overlap 24h',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--overlap <duration>', overlapText, '0')
    .action(async (form: string, options: RotationOptions, command: Command) => {
      const overlap = durationSeconds(options.overlap);
      const secret = await readSecret();
      const { api, out } = sessionOf(command);
      const { previous_valid_until } = await api.call(
        'PUT',
        '/workspaces/:workspace_id/forms/:form_id/webhook-secret',
        {
          params: await formParams(api, options.workspace, form),
          body: { secret, overlap_seconds: overlap },
        },
      );
      out.result({ previous_valid_until }, `The secret is set.${untilText(previous_valid_until)}`);
    });

const rotate = () =>
  inWorkspace(
    newCommand('rotate', 'Generate a new webhook secret for a form and print it once.', [
      'secret rotate contact --overlap 24h',
      'secret rotate contact > secret.txt',
    ]),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--overlap <duration>', overlapText, '0')
    .action(async (form: string, options: RotationOptions, command: Command) => {
      const overlap_seconds = durationSeconds(options.overlap);
      const { api, out } = sessionOf(command);
      const rotated = await api.call('PUT', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', {
        params: await formParams(api, options.workspace, form),
        body: { overlap_seconds },
      });
      out.note(`The secret is shown only once.${untilText(rotated.previous_valid_until)}`);
      out.result(rotated, rotated.secret);
    });

const end = () =>
  withConfirmation(
    inWorkspace(
      newCommand('end', 'End the overlap of a rotation: only the newest secret stays valid.', [
        'secret end contact',
        'secret end contact --yes',
      ]),
    ),
  )
    .argument('<form>', 'its slug, name or ID')
    .action(async (form: string, options: WorkspaceOption & ConfirmOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const params = await formParams(api, options.workspace, form);
      await confirm(
        options,
        `End the overlap for ${form}? Leads signed with the previous secret will be rejected.`,
      );
      await api.call('DELETE', '/workspaces/:workspace_id/forms/:form_id/webhook-secret/previous', {
        params,
      });
      out.result({ previous_valid_until: null }, 'Only the newest secret is valid now.');
    });

function untilText(until: string | null): string {
  return until === null ? '' : ` The previous one is valid until ${until}.`;
}

export const secretCommand = () =>
  newCommand('secret', 'Set and rotate webhook secrets, and end the overlap of a rotation.', [
    'secret rotate contact --overlap 24h',
  ])
    .addCommand(set())
    .addCommand(rotate())
    .addCommand(end());
