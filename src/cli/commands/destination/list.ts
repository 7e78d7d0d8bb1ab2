import type { Command } from 'commander';
import type { Destination } from '../../../contract/destinations/destinations.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import type { Column } from '../../output.ts';

const columns: Column<Destination>[] = [
  { title: 'ID', show: ({ id }) => id },
  { title: 'NAME', show: ({ name }) => name },
  { title: 'KIND', show: ({ kind }) => kind },
  {
    title: 'STATUS',
    show: ({ status, disabled_reason }) =>
      disabled_reason === null ? status : `${status}: ${disabled_reason}`,
    style: ({ status }) => (status === 'active' ? 'green' : status === 'paused' ? 'yellow' : 'red'),
  },
  { title: 'DELIVERED', show: ({ last_day }) => String(last_day.delivered) },
  { title: 'WAITING', show: ({ last_day }) => String(last_day.waiting) },
  { title: 'DEAD', show: ({ last_day }) => String(last_day.dead) },
  { title: 'PLACE', show: placeOf },
];

export const listCommand = () =>
  inWorkspace(
    newCommand('list', 'List the destinations of a workspace, with their deliveries of the last 24 hours.', [
      'destination list',
      'destination list --json',
    ]),
  ).action(async ({ workspace }: WorkspaceOption, command: Command) => {
    const { api, out } = sessionOf(command);
    const { id } = await findWorkspace(api, workspace);
    out.table(
      await api.list('/workspaces/:workspace_id/destinations', { params: { workspace_id: id } }),
      columns,
      'No destinations yet.',
    );
  });

/** Where its leads go. */
function placeOf(destination: Destination): string {
  switch (destination.kind) {
    case 'webhook':
      return destination.url;
    case 'email':
      return destination.recipients.map(recipientText).join(', ');
    case 'chat':
      return `${destination.service} at ${destination.host}`;
    case 'hubspot':
      return 'contacts';
  }
}

/** Who does not get the emails is marked. */
function recipientText({
  address,
  status,
}: Extract<Destination, { kind: 'email' }>['recipients'][number]): string {
  return status === 'waiting' || status === 'unsubscribed' ? `${address} (${status})` : address;
}
