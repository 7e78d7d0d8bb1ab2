import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { printable } from '../../terminal/safe-text.ts';
import { countText } from './filter.ts';

export const verifyCommand = () =>
  inWorkspace(
    newCommand(
      'verify',
      'Check the signatures of held submissions again, with the secret that the form has now.',
      ['held verify contact'],
    ),
  )
    .argument('<form>', 'its slug, name or ID')
    .action(async (wanted: string, { workspace }: WorkspaceOption, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const { id: form_id, name } = await findForm(api, workspace_id, wanted);
      const found = await api.call('POST', '/workspaces/:workspace_id/held/re-verification', {
        params: { workspace_id },
        body: { form_id },
      });
      const text = `${countText(found.verified)} of ${name} have a signature that matches now.`;
      out.result(found, printable(text));
    });
