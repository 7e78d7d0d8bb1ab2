import { Table, Text } from '@mantine/core';
import type { Delivery } from '../../../src/contract/destinations/deliveries.ts';
import { TextLink } from '../../parts/links.tsx';
import { numberText } from '../../parts/numbers.ts';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useOpenDelivery } from './delivery-address.ts';
import { lastResult, StateTag } from './delivery-state.tsx';

export function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const workspaceId = useWorkspaceId();
  const { openId, open } = useOpenDelivery();
  const { id, destination_name, event, state, attempts, next_attempt_at, submission_id } = delivery;
  const result = lastResult(delivery);
  return (
    <Table.Tr
      className="row-link"
      data-open={id === openId || undefined}
      onClick={({ target }) => {
        // Links in the row lead elsewhere.
        if (target instanceof Element && target.closest('a') === null) open(id);
      }}
    >
      <Table.Td data-inline>
        <TextLink
          to="/w/$workspaceId/deliveries/$deliveryId"
          params={{ workspaceId, deliveryId: id }}
          search
          resetScroll={false}
          state={{ isFromList: true }}
          size="sm"
        >
          <TimeAgo time={delivery.created_at} size="inherit" />
          <span className="only-read">, delivery to {destination_name ?? 'a deleted destination'}</span>
        </TextLink>
        {delivery.replay_of !== null && (
          <Text size="xs" c="dimmed">
            sent again
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={200} data-grows>
        <Text size="sm" className="cut" dir="auto" {...(destination_name === null ? { c: 'dimmed' } : {})}>
          {destination_name ?? 'Deleted destination'}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="xs" ff="monospace">
          {event}
        </Text>
      </Table.Td>
      <Table.Td>
        <StateTag delivery={delivery} />
        {state === 'pending' && next_attempt_at !== null && (
          <Text size="xs" c="dimmed" component="div" mt={2}>
            next try <TimeUntil time={next_attempt_at} size="xs" />
          </Text>
        )}
      </Table.Td>
      <Table.Td data-label="Attempts">
        <Text size="sm" className="numbers">
          {numberText(attempts)}
        </Text>
      </Table.Td>
      <Table.Td maw={240} data-label="Response">
        {result !== '' && (
          <Text size="sm" className="cut" title={result}>
            {result}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        {submission_id !== null && (
          <TextLink
            to="/w/$workspaceId/leads/$leadId"
            params={{ workspaceId, leadId: submission_id }}
            size="sm"
          >
            Lead
          </TextLink>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
