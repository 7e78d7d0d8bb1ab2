import { Box, Group, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Delivery } from '../../../../src/contract/destinations/deliveries.ts';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { leadDeliveriesQuery } from '../../../api/destination-queries.ts';
import { TextLink } from '../../../parts/links.tsx';
import { MoreButton } from '../../../parts/lists/more-button.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Failure, Loading } from '../../../parts/states.tsx';
import { TimeAgo, TimeUntil } from '../../../parts/time.tsx';
import { useIsOwner, useWorkspaceId } from '../../../shell/workspace.ts';
import { lastResult, StateTag } from '../../deliveries/delivery-state.tsx';

/** Where the lead was sent, newest first. Members see the states; owners can open what was sent. */
export function LeadDeliveries({ lead }: { lead: Lead }) {
  const workspaceId = useWorkspaceId();
  const query = useInfiniteQuery(leadDeliveriesQuery(workspaceId, lead.submission_id));
  const deliveries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  if (query.error && !query.data) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading rows={2} />;
  if (deliveries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        There are none: no destination wanted this lead, or it was sent long ago. Deliveries are deleted after
        90 days.
      </Text>
    );
  return (
    <>
      <Box component="ul" m={0} p={0} className="history" aria-label="Deliveries">
        {deliveries.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} />
        ))}
      </Box>
      <MoreButton label="Show older deliveries" query={query} />
    </>
  );
}

function Row({ delivery }: { delivery: Delivery }) {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const { id, destination_name, event, attempts, created_at, next_attempt_at, replay_of } = delivery;
  const name = destination_name ?? 'Deleted destination';
  const result = lastResult(delivery);
  return (
    <Box component="li" py={10} className="field">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        {isOwner ? (
          <TextLink
            to="/w/$workspaceId/deliveries/$deliveryId"
            params={{ workspaceId, deliveryId: id }}
            size="sm"
            className="wrap"
            dir="auto"
          >
            {name}
          </TextLink>
        ) : (
          <Text size="sm" className="wrap" dir="auto">
            {name}
          </Text>
        )}
        <StateTag delivery={delivery} />
      </Group>
      <Text size="xs" c="dimmed" component="div">
        {event}
        {replay_of === null ? '' : ', sent again'} · <TimeAgo time={created_at} size="xs" /> ·{' '}
        {countText(attempts, 'attempt')}
        {next_attempt_at !== null && (
          <>
            , next try <TimeUntil time={next_attempt_at} size="xs" />
          </>
        )}
      </Text>
      {result !== '' && (
        <Text size="xs" c="dimmed" className="wrap">
          Last response: {result}
        </Text>
      )}
    </Box>
  );
}
