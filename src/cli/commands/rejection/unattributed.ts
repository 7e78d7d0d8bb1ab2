import type { Command } from 'commander';
import type { Unattributed } from '../../../contract/diagnostics.ts';
import { newCommand, sessionOf } from '../../command.ts';
import type { Column } from '../../output.ts';

interface UnattributedOptions {
  readonly request?: string;
  readonly from?: string;
  readonly to?: string;
}

const columns: Column<Unattributed['items'][number]>[] = [
  { title: 'COUNT', show: ({ count }) => String(count) },
  { title: 'REASON', show: ({ reason }) => reason },
  { title: 'SURFACE', show: ({ surface }) => surface },
  { title: 'LAST', show: ({ last_at }) => last_at },
];

export const unattributedCommand = () =>
  newCommand(
    'unattributed',
    'Count rejections without a workspace, such as those of unknown tokens and slugs; by default those of the last 24 hours. Needs the operator key.',
    ['rejection unattributed', 'rejection unattributed --request 5f1c3a52-7a3d-4f0e-8b1d-2f6a9c0e4d11'],
  )
    .option('--request <id>', 'find the X-Request-Id of a response among the last 50,000')
    .option('--from <time>', 'at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'before this time')
    .action(async ({ request: request_id, from, to }: UnattributedOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const query = { request_id, from, to };
      const { items } = await api.call('GET', '/operator/unattributed', { query });
      out.table(items, columns, 'No rejections found.');
    });
