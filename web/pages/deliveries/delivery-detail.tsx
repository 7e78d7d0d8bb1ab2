import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WholeDelivery } from '../../../src/contract/destinations/deliveries.ts';
import { api } from '../../api/client.ts';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { indentJson } from '../../parts/code/indent-json.ts';
import { CodeBlock, CopyIcon } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { exactTime, TimeUntil } from '../../parts/time.tsx';
import { toastDone, toastProblem } from '../../parts/toast.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { headerLines } from '../destinations/header-lines.ts';
import { isRead, type Kind } from '../destinations/kinds/kind-words.ts';
import { Attempts } from './attempts.tsx';
import { StateTag, stateTexts } from './delivery-state.tsx';

interface DeliveryDetailProps {
  readonly delivery: WholeDelivery;
  /** With the delivery that is sent in its place. */
  onReplayed(deliveryId: string): void;
}

export function DeliveryDetail({ delivery, onReplayed }: DeliveryDetailProps) {
  const { state, next_attempt_at, tries } = delivery;
  const destinations = useQuery(destinationsQuery(useWorkspaceId())).data?.items ?? [];
  const kind = destinations.find(({ id }) => id === delivery.destination_id)?.kind;
  return (
    <Stack gap="lg">
      <Stack gap={6}>
        <Group gap="xs">
          <StateTag delivery={delivery} />
          {state === 'pending' && next_attempt_at !== null && (
            <Text size="sm" component="div">
              next try <TimeUntil time={next_attempt_at} />
            </Text>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {stateTexts[state]}
        </Text>
        <ReplayButton delivery={delivery} onReplayed={onReplayed} />
      </Stack>
      <Facts delivery={delivery} kind={kind} />
      <Part title="Attempts">
        <Attempts tries={tries} attempts={delivery.attempts} kind={kind} />
      </Part>
      <Part title={kind === 'email' ? 'Email' : 'Request'}>
        <Request request={delivery.request} kind={kind} />
      </Part>
    </Stack>
  );
}

interface RequestProps extends Pick<WholeDelivery, 'request'> {
  /** Of the destination; undefined if it was deleted. */
  readonly kind: Kind | undefined;
}

function Request({ request, kind }: RequestProps) {
  if (request === null)
    return (
      <Text size="sm" c="dimmed">
        {kind === 'hubspot'
          ? 'The lead no longer exists or has no email address, so it cannot be sent again.'
          : 'The lead or the destination no longer exists, so it cannot be sent again.'}
      </Text>
    );
  const headers = headerLines(request.url, request.headers);
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        As it would be sent now, with the present settings of the destination.
        {kind === undefined ? '' : ` ${hiddenTexts[kind]}`}
      </Text>
      {headers !== '' && <CodeBlock code={headers} label="headers of the request" maxHeight={200} />}
      <CodeBlock
        code={indentJson(request.body)}
        label="body of the request"
        maxHeight={420}
        wraps={isRead(kind)}
      />
    </Stack>
  );
}

const hiddenTexts: Readonly<Record<Kind, string>> = {
  webhook: 'The signature and your own headers are not shown.',
  email: 'Each recipient gets their own, with a link to unsubscribe. In a digest it is one of several leads.',
  chat: 'The URL is a secret and not shown.',
  hubspot: 'It may be one of up to 100 contacts in a request. The access token is not shown.',
};

function ReplayButton({ delivery, onReplayed }: DeliveryDetailProps) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const isWaiting = delivery.state === 'pending';
  const replay = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/deliveries/:delivery_id/replay', {
        params: { workspace_id: workspaceId, delivery_id: delivery.id },
      }),
    onSuccess({ id }) {
      toastDone(isWaiting ? 'It is sent now.' : 'It is sent again. This is the new delivery.');
      onReplayed(id);
      return queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] });
    },
    onError: toastProblem,
  });
  if (delivery.request === null) return null;
  return (
    <Button
      size="xs"
      w="fit-content"
      variant={delivery.state === 'dead' ? 'filled' : 'default'}
      leftSection={<Icon name={isWaiting ? 'send' : 'refresh'} size={14} />}
      loading={replay.isPending}
      onClick={() => replay.mutate()}
    >
      {isWaiting ? 'Send now' : 'Send again'}
    </Button>
  );
}

function Facts({ delivery, kind }: { delivery: WholeDelivery; kind: Kind | undefined }) {
  const workspaceId = useWorkspaceId();
  const { destination_id, destination_name, submission_id, event, event_id, replay_of } = delivery;
  return (
    <dl className="facts">
      <dt>Destination</dt>
      <dd className="wrap">
        {destination_name === null ? (
          'Deleted destination'
        ) : (
          <TextLink
            to="/w/$workspaceId/destinations/$destinationId"
            params={{ workspaceId, destinationId: destination_id }}
            size="sm"
          >
            {destination_name}
          </TextLink>
        )}
      </dd>
      <dt>Event</dt>
      <dd>
        {event}, {exactTime(delivery.event_at)}
      </dd>
      {submission_id !== null && (
        <>
          <dt>Lead</dt>
          <dd className="wrap">
            <TextLink
              to="/w/$workspaceId/leads/$leadId"
              params={{ workspaceId, leadId: submission_id }}
              size="sm"
            >
              {submission_id}
            </TextLink>
          </dd>
        </>
      )}
      {(kind === undefined || kind === 'webhook') && (
        <>
          <dt>webhook-id</dt>
          <dd className="wrap">
            msg_{event_id} <CopyIcon value={`msg_${event_id}`} label="Copy webhook-id" />
          </dd>
        </>
      )}
      <dt>Created</dt>
      <dd>{exactTime(delivery.created_at)}</dd>
      {delivery.delivered_at !== null && (
        <>
          <dt>Delivered</dt>
          <dd>{exactTime(delivery.delivered_at)}</dd>
        </>
      )}
      {replay_of !== null && (
        <>
          <dt>Sent before</dt>
          <dd>
            <TextLink
              to="/w/$workspaceId/deliveries/$deliveryId"
              params={{ workspaceId, deliveryId: replay_of }}
              search
              size="sm"
            >
              Earlier delivery of this event
            </TextLink>
          </dd>
        </>
      )}
    </dl>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </Box>
  );
}
