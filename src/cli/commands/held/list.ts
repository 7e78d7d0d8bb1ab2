import { type Command, Option } from 'commander';
import type { HeldSubmission } from '../../../contract/held/held.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { countOption, inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { type HeldFilterOptions, heldFilterOf, withHeldFilter } from './filter.ts';

interface ListOptions extends WorkspaceOption, HeldFilterOptions {
  readonly state: HeldSubmission['state'];
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

const columns: Column<HeldSubmission>[] = [
  { title: 'RECEIVED', show: ({ received_at }) => received_at },
  { title: 'REASON', show: ({ reason }) => reason },
  { title: 'CLASS', show: (held) => held.class, style: (held) => (held.is_admissible ? 'green' : 'yellow') },
  { title: 'SURFACE', show: ({ surface }) => surface },
  { title: 'BYTES', show: ({ body_bytes }) => String(body_bytes) },
  { title: 'ID', show: ({ id }) => id },
  { title: 'EXPIRES', show: ({ expires_at }) => expires_at },
  { title: 'NOTE', show: noteOf },
];

export const listCommand = () =>
  withHeldFilter(
    inWorkspace(
      newCommand('list', 'List held submissions, newest first.', [
        'held list --reason rate_limited_minute',
        'held list --form contact --class A --json',
      ]),
    ),
  )
    .addOption(
      new Option('--state <state>', 'only those in this state')
        .choices(['held', 'admitted', 'discarded'])
        .default('held'),
    )
    .option('--from <time>', 'received at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'received before this time')
    .option('--limit <count>', 'the maximum number', '50')
    .addHelpText(
      'after',
      '\nClasses: A and B can be admitted; C can only be shown; D is not proven, until its signature matches a secret that you set later.',
    )
    .action(async (options: ListOptions, command: Command) => {
      const limit = countOption('--limit', options.limit);
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const { state, from, to } = options;
      const query = { ...(await heldFilterOf(api, id, options)), state, from, to };
      const found = await api.list(
        '/workspaces/:workspace_id/held',
        { params: { workspace_id: id }, query },
        limit,
      );
      out.table(found, columns, 'No held submissions found.');
    });

function noteOf({ is_readable, state, twin_of, submission_id }: HeldSubmission): string {
  if (submission_id !== null) return `became lead ${submission_id}`;
  if (twin_of !== null) return `equals lead ${twin_of}`;
  return state === 'held' && !is_readable ? 'encrypted with a missing key' : '';
}
