import { type Command, Option } from 'commander';
import type { Delivery } from '../../../contract/destinations/deliveries.ts';
import { type DeliveryState, deliveryStates } from '../../../domain/destination/destination.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findDestination, findWorkspace, idArgument } from '../../find.ts';
import { countOption, inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';
import { outcomeText, stateColour } from './state.ts';

interface ListOptions extends WorkspaceOption {
  readonly destination?: string;
  readonly state?: DeliveryState;
  readonly lead?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
}

const columns: Column<Delivery>[] = [
  { title: 'CREATED', show: ({ created_at }) => created_at },
  { title: 'STATE', show: ({ state }) => state, style: ({ state }) => stateColour(state) },
  { title: 'DESTINATION', show: ({ destination_name }) => destination_name ?? '(deleted)' },
  { title: 'EVENT', show: ({ event }) => event },
  { title: 'LEAD', show: ({ submission_id }) => submission_id ?? '' },
  { title: 'ATTEMPTS', show: ({ attempts }) => String(attempts) },
  { title: 'ID', show: ({ id }) => id },
  { title: 'LAST', show: ({ last_status, last_error }) => outcomeText(last_status, last_error) },
];

export const listCommand = () =>
  inWorkspace(
    newCommand('list', 'List deliveries, newest first.', [
      'delivery list --state dead',
      'delivery list --destination CRM --from 2026-11-15T00:00:00Z --json',
      'delivery list --lead 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
    ]),
  )
    .option('-d, --destination <destination>', 'only deliveries to this destination: name or ID')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(deliveryStates))
    .option('--lead <id>', 'only deliveries of this lead')
    .option('--from <time>', 'created at this time or later, such as 2026-11-15T08:00:00Z')
    .option('--to <time>', 'created before this time')
    .option('--limit <count>', 'the maximum number', '50')
    .action(async ({ destination, state, lead, from, to, ...options }: ListOptions, command: Command) => {
      const limit = countOption('--limit', options.limit);
      const submission_id = lead === undefined ? undefined : idArgument('submission ID', lead);
      const { api, out } = sessionOf(command);
      const { id } = await findWorkspace(api, options.workspace);
      const destination_id =
        destination === undefined ? undefined : (await findDestination(api, id, destination)).id;
      const found = await api.list(
        '/workspaces/:workspace_id/deliveries',
        { params: { workspace_id: id }, query: { destination_id, state, submission_id, from, to } },
        limit,
      );
      out.table(found, columns, 'No deliveries found.');
    });
