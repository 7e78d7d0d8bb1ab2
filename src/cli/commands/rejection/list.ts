import { type Command, Option } from 'commander';
import type { Diagnostics } from '../../../contract/diagnostics.ts';
import { rejectionReasons } from '../../../domain/rejection.ts';
import { surfaces } from '../../../domain/surface.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findForm, findWorkspace } from '../../find.ts';
import { countOption, inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';

export type RejectionEntry = Diagnostics['items'][number];

interface ListOptions extends WorkspaceOption {
  readonly form?: string;
  readonly reason?: RejectionEntry['reason'];
  readonly surface?: RejectionEntry['surface'];
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

const columns: Column<RejectionEntry>[] = [
  { title: 'AT', show: ({ at }) => at },
  {
    title: 'REASON',
    show: ({ reason }) => reason,
    style: ({ category }) => (category === 'other' ? 'red' : 'yellow'),
  },
  { title: 'SEVERITY', show: ({ severity }) => severity },
  { title: 'SURFACE', show: ({ surface }) => surface },
  { title: 'REQUEST ID', show: ({ request_id }) => request_id },
  { title: 'DETAIL', show: ({ detail }) => (Object.keys(detail).length === 0 ? '' : JSON.stringify(detail)) },
];

export const listCommand = () =>
  inWorkspace(
    newCommand('list', 'List rejected submissions, newest first; by default those of the last 24 hours.', [
      'rejection list --reason signature_mismatch',
      'rejection list --form contact --from 2026-11-15T00:00:00Z --json',
    ]),
  )
    .option('-f, --form <form>', 'only rejections of this form: slug, name or ID')
    .addOption(
      new Option('--reason <reason>', 'only rejections for this reason').choices(
        rejectionReasons.map(({ code }) => code),
      ),
    )
    .addOption(new Option('--surface <surface>', 'only rejections on this surface').choices(surfaces))
    .option('--from <time>', 'at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'before this time')
    .option('--limit <count>', 'the maximum number', '50')
    .addHelpText(
      'after',
      '\nThe service keeps 20 entries per reason and minute; the settings area shows exact counts.',
    )
    .action(async ({ form, reason, surface, from, to, ...options }: ListOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const limit = countOption('--limit', options.limit);
      const { id } = await findWorkspace(api, options.workspace);
      const form_id = form === undefined ? undefined : (await findForm(api, id, form)).id;
      const query = { form_id, reason, surface, from, to };
      const found = await api.list(
        '/workspaces/:workspace_id/diagnostics',
        { params: { workspace_id: id }, query },
        limit,
      );
      out.table(found, columns, 'No rejections found.');
    });
