import type { Command } from 'commander';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { countOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { type FilterOptions, filterQuery, type RejectionEntry, withFilter } from './filter.ts';

interface ListOptions extends FilterOptions {
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
  { title: 'WHAT HAPPENED', show: ({ sentence }) => sentence },
];

export const listCommand = () =>
  withFilter(
    newCommand('list', 'List rejected submissions, newest first; by default those of the last 24 hours.', [
      'rejection list --reason signature_mismatch',
      'rejection list --form contact --from 2026-11-15T00:00:00Z --json',
    ]),
  )
    .option('--limit <count>', 'the maximum number', '50')
    .addHelpText(
      'after',
      '\nUp to 20,000 rejections of a workspace and day have an entry; `rejection groups` counts all.',
    )
    .action(async (options: ListOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const limit = countOption('--limit', options.limit);
      const { id } = await findWorkspace(api, options.workspace);
      const params = { workspace_id: id };
      const query = await filterQuery(api, id, options);
      const found = await api.list('/workspaces/:workspace_id/diagnostics', { params, query }, limit);
      out.table(found, columns, 'No rejections found.');
      const { only_counted, totals } = await api.call('GET', '/workspaces/:workspace_id/diagnostics', {
        params,
        query: { ...query, limit: 1 },
      });
      const all = totals.rate_limited + totals.other;
      if (only_counted > 0) out.note(`${only_counted} of ${all} rejections are only counted.`);
    });
