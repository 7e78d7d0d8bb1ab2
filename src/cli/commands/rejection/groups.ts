import { type Command, Option } from 'commander';
import type { RejectionGroups } from '../../../contract/diagnostics/groups.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import type { Column } from '../../output.ts';
import { type FilterOptions, filterQuery, withFilter } from './filter.ts';

type Group = RejectionGroups['items'][number];

interface GroupsOptions extends FilterOptions {
  readonly by: 'reason' | 'sender';
}

const columns: Column<Group>[] = [
  { title: 'COUNT', show: ({ count }) => String(count) },
  {
    title: 'REASON',
    show: ({ reason }) => reason,
    style: ({ category }) => (category === 'other' ? 'red' : 'yellow'),
  },
  { title: 'SEVERITY', show: ({ severity }) => severity },
  { title: 'FIRST', show: ({ first_at }) => first_at },
  { title: 'LAST', show: ({ last_at }) => last_at },
];
const senderColumns: Column<Group>[] = [
  { title: 'SURFACE', show: ({ surface }) => surface ?? '' },
  { title: 'FORM', show: ({ form_id }) => form_id ?? '' },
  { title: 'TOKEN', show: ({ token_id }) => token_id ?? '' },
];

export const groupsCommand = () =>
  withFilter(
    newCommand(
      'groups',
      'Count rejected submissions by reason, the most frequent first; by default those of the last 24 hours.',
      ['rejection groups', 'rejection groups --by sender --severity error --json'],
    ),
  )
    .addOption(
      new Option('--by <what>', 'by reason, or each reason apart for each surface, form and token')
        .choices(['reason', 'sender'])
        .default('reason'),
    )
    .action(async ({ by, ...options }: GroupsOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const { items, more } = await api.call('GET', '/workspaces/:workspace_id/diagnostics/groups', {
        params: { workspace_id: id },
        query: { ...(await filterQuery(api, id, options)), group_by: by },
      });
      out.table(items, by === 'sender' ? [...columns, ...senderColumns] : columns, 'No rejections found.');
      if (more > 0) out.note(`${more} smaller groups are not shown.`);
    });
