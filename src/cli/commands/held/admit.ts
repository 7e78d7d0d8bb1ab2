import type { Command } from 'commander';
import type { HeldDryRun } from '../../../contract/held/decisions.ts';
import type { Api } from '../../api.ts';
import { newCommand, type Session, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { confirm } from '../../terminal/confirm.ts';
import { countText } from './filter.ts';
import { type SelectionOptions, selectionOf, untilDecided, withSelection } from './selection.ts';

interface AdmitOptions extends SelectionOptions {
  readonly includeTwins?: boolean;
  /** False with --no-deliver. */
  readonly deliver: boolean;
}

export const admitCommand = () =>
  withSelection(
    newCommand('admit', 'Admit held submissions: they become leads, with the time at which they arrived.', [
      'held admit 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'held admit --reason rate_limited_minute --dry-run',
      'held admit --form contact --no-deliver --yes',
    ]),
  )
    .option('--include-twins', 'also those of which there is an equal lead')
    .option('--no-deliver', 'do not send the leads to destinations')
    .addHelpText('after', '\nWith one ID, prints the ID of the lead. Otherwise counts first, and asks.')
    .action(async (ids: string[], options: AdmitOptions, command: Command) => {
      const session = sessionOf(command);
      const { id: workspaceId } = await findWorkspace(session.api, options.workspace);
      const selection = await selectionOf(session.api, workspaceId, ids, options);
      const [only, ...others] = 'ids' in selection ? selection.ids : [];
      if (only !== undefined && others.length === 0 && !options.dryRun)
        return admitOne(session, workspaceId, only, options);
      return admitMany(session, workspaceId, selection, options);
    });

async function admitOne({ api, out }: Session, workspaceId: string, id: string, options: AdmitOptions) {
  const admitted = await api.call('POST', '/workspaces/:workspace_id/held/:held_id/admission', {
    params: { workspace_id: workspaceId, held_id: id },
    body: choiceOf(options),
  });
  out.result(admitted, admitted.submission_id);
}

type Selection = Awaited<ReturnType<typeof selectionOf>>;

async function admitMany(
  { api, out }: Session,
  workspaceId: string,
  selection: Selection,
  options: AdmitOptions,
) {
  const asked = { ...selection, ...choiceOf(options) };
  const counted = await count(api, workspaceId, asked);
  const twins = counted.twins === 0 ? '' : ` Of ${counted.twins}, there is an equal lead.`;
  if (options.dryRun || counted.count === 0)
    return out.result(counted, `${countText(counted.count)} would be admitted.${twins}`);
  await confirm(options, `Admit ${countText(counted.count)}?${twins}`);
  const started = await api.call('POST', '/workspaces/:workspace_id/held/admissions', {
    params: { workspace_id: workspaceId },
    body: { ...asked, dry_run: false },
  });
  const { id } = started as { readonly id: string };
  const done = await untilDecided(api, workspaceId, id, 'Admitting');
  const stopped = done.state === 'stopped' ? ' Stopped before the end.' : '';
  out.result(done, `${countText(done.decided)} of ${done.total} became leads.${stopped}`);
}

async function count(
  api: Api,
  workspaceId: string,
  asked: Selection & ReturnType<typeof choiceOf>,
): Promise<HeldDryRun> {
  const counted = await api.call('POST', '/workspaces/:workspace_id/held/admissions', {
    params: { workspace_id: workspaceId },
    body: { ...asked, dry_run: true },
  });
  return counted as HeldDryRun;
}

function choiceOf({ includeTwins, deliver }: AdmitOptions) {
  return { exclude_twins: includeTwins !== true, deliver };
}
