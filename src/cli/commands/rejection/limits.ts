import type { Command } from 'commander';
import type { RateLimit } from '../../../contract/diagnostics/rate-limits.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';

interface LimitsOptions extends WorkspaceOption {
  readonly from?: string;
  readonly to?: string;
}

const columns: Column<RateLimit>[] = [
  { title: 'SURFACE', show: ({ surface }) => surface },
  { title: 'PER', show: ({ window }) => window },
  {
    title: 'USED',
    show: ({ used, max }) => `${used} of ${max}`,
    style: ({ used, max }) => (used >= max ? 'red' : 'green'),
  },
  { title: 'PEAK', show: ({ peak }) => (peak === null ? '' : `${peak.count} at ${peak.at}`) },
  { title: 'REJECTED', show: ({ rejected }) => String(rejected) },
  { title: 'REACHED', show: reachedText },
];

export const limitsCommand = () =>
  inWorkspace(
    newCommand('limits', 'Show how much of each rate limit is used, and when it is reached.', [
      'limits',
      'limits --from 2026-11-15T00:00:00Z --json',
    ]),
  )
    .option('--from <time>', 'peaks and rejections at this time or later; by default of the last 24 hours')
    .option('--to <time>', 'before this time')
    .action(async ({ workspace, from, to }: LimitsOptions, command: Command) => {
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, workspace);
      const { items } = await api.call('GET', '/workspaces/:workspace_id/rate-limits', {
        params: { workspace_id: id },
        query: { from, to },
      });
      out.table(items, columns, 'No limits.');
    });

function reachedText({ used, max, reached_at, resets_at, exhausts_at }: RateLimit): string {
  if (used >= max) return `since ${reached_at ?? 'just now'}, until ${resets_at}`;
  return exhausts_at === null ? '' : `at ${exhausts_at} at this rate`;
}
