import type { Command } from 'commander';
import type { FormLearning } from '../../../contract/scoring/learning.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { type ConfirmOption, confirm, withConfirmation } from '../../terminal/confirm.ts';

interface LearningOptions extends WorkspaceOption, ConfirmOption {
  readonly forget?: boolean;
}

const path = '/workspaces/:workspace_id/forms/:form_id/scoring/learning';

/** Without an option, it only shows it. */
export const learningCommand = () =>
  withConfirmation(
    inWorkspace(
      newCommand('learning', 'Show or forget what a form has learned from marks on its leads.', [
        'form learning contact',
        'form learning contact --forget --yes',
      ]),
    ),
  )
    .argument('<form>', 'its slug, name or ID')
    .option('--forget', 'marks up to now no longer count for new leads')
    .action(async (form: string, options: LearningOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const workspace = await findWorkspace(api, options.workspace);
      const { id, name } = await findForm(api, workspace.id, form);
      const params = { workspace_id: workspace.id, form_id: id };
      if (options.forget)
        await confirm(options, `Forget what ${name} has learned from marks? The marks themselves stay.`);
      const shown = await api.call(options.forget ? 'DELETE' : 'GET', path, { params });
      out.result(shown, textOf(shown));
    });

function textOf({ state, leads, people, needed, number }: FormLearning): string {
  const marked = `${leads.spam} leads marked as spam and ${leads.not_spam} as not spam, by ${people === 1 ? 'one person' : `${people} people`}`;
  if (number === null)
    return `Nothing learned yet: ${marked}. It needs ${needed.of_each} of each mark, or ${needed.of_one} of one.`;
  return `${state === 'off' ? 'Turned off. ' : ''}Learned from ${marked}.`;
}
