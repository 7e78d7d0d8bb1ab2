import type { Command } from 'commander';
import type { WholeDelivery } from '../../../contract/destinations/deliveries.ts';
import { newCommand, sessionOf } from '../../command.ts';
import { findWorkspace, idArgument } from '../../find.ts';
import { inWorkspace, type WorkspaceOption } from '../../options.ts';
import { styled } from '../../output.ts';
import { detailLines, valueText } from '../../terminal/details.ts';
import { printable } from '../../terminal/safe-text.ts';
import { outcomeText, stateColour } from './state.ts';

export const showCommand = () =>
  inWorkspace(
    newCommand('show', 'Show a delivery: its attempts, and the request as it would be sent now.', [
      'delivery show 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10',
      'delivery show 0199f3a2-5c1e-7c44-9c1b-0d9c7f2a4e10 --json | jq -r .request.body',
    ]),
  )
    .argument('<id>', 'its ID')
    .action(async (id: string, { workspace }: WorkspaceOption, command: Command) => {
      const delivery_id = idArgument('delivery ID', id);
      const { api, out } = sessionOf(command);
      const { id: workspace_id } = await findWorkspace(api, workspace);
      const delivery = await api.call('GET', '/workspaces/:workspace_id/deliveries/:delivery_id', {
        params: { workspace_id, delivery_id },
      });
      out.result(delivery, deliveryText(delivery));
    });

function deliveryText(delivery: WholeDelivery): string {
  const { destination_id, destination_name, event, event_at, event_id, submission_id, state } = delivery;
  const next = delivery.next_attempt_at === null ? '' : `, next attempt at ${delivery.next_attempt_at}`;
  return [
    ...detailLines([
      ['Id', delivery.id],
      ['Destination', `${destination_name ?? '(deleted)'} (${destination_id})`],
      ['Event', `${event} at ${event_at}`],
      ['Webhook-id', `msg_${event_id}`],
      ...(submission_id === null ? [] : ([['Lead', submission_id]] as const)),
      ...(delivery.replay_of === null ? [] : ([['Again', `sent before as ${delivery.replay_of}`]] as const)),
    ]),
    `${styled('bold', 'State')}        ${styled(stateColour(state), state)}${printable(next)}`,
    ...delivery.tries.flatMap(attemptLines),
    ...requestLines(delivery.request),
  ].join('\n');
}

function attemptLines({ n, at, took_ms, status, error, response_head }: WholeDelivery['tries'][number]) {
  const title = `Attempt ${n} at ${at}: ${outcomeText(status, error)} after ${took_ms} ms`;
  return [
    '',
    styled('bold', printable(title)),
    ...(response_head ? [`      ${valueText(response_head)}`] : []),
  ];
}

function requestLines(request: WholeDelivery['request']): string[] {
  if (request === null)
    return [
      '',
      'It cannot be sent again: its lead or its destination no longer exists, or the lead lacks what the destination needs.',
    ];
  const { url, headers, body } = request;
  // The URL of a chat is a secret, and an email has none.
  const head =
    url === null ? Object.entries(headers).map(([name, value]) => `${name}: ${value}`) : [`POST ${url}`];
  return [
    '',
    styled('bold', url === null ? 'Message' : 'Request'),
    ...head.map((line) => `  ${printable(line)}`),
    `  ${valueText(body)}`,
  ];
}
