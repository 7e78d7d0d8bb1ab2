import type { Command } from 'commander';
import type { HeldDryRun } from '../../../contract/held/decisions.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { confirm } from '../../terminal/confirm.ts';
import { countText } from './filter.ts';
import { type SelectionOptions, selectionOf, untilDecided, withSelection } from './selection.ts';

export const discardCommand = () =>
  withSelection(
    newCommand('discard', 'Discard held submissions: their content is deleted.', [
      'held discard 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10 --yes',
      'held discard --class C --yes',
    ]),
  ).action(async (ids: string[], options: SelectionOptions, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id: workspace_id } = await findWorkspace(api, options.workspace);
    const selection = await selectionOf(api, workspace_id, ids, options);
    const ask = (dry_run: boolean) =>
      api.call('POST', '/workspaces/:workspace_id/held/discards', {
        params: { workspace_id },
        body: { ...selection, dry_run },
      });
    const counted = (await ask(true)) as HeldDryRun;
    if (options.dryRun || counted.count === 0)
      return out.result(counted, `${countText(counted.count)} would be discarded.`);
    await confirm(options, `Delete the content of ${countText(counted.count)}?`);
    const { id } = (await ask(false)) as { readonly id: string };
    const done = await untilDecided(api, workspace_id, id, 'Discarding');
    out.result(done, `${countText(done.decided)} discarded.`);
  });
