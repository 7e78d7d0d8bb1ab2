import { ActionIcon, Group, Menu, Table, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { numberText } from '../../parts/numbers.ts';
import { TimeAgo } from '../../parts/time.tsx';
import { toastProblem } from '../../parts/toast.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import type { Action } from './action-dialogs.tsx';
import { kindIcons } from './kinds/kind-icons.ts';
import { kindNames, placeOf } from './kinds/kind-words.ts';
import { StatusNote, StatusTag } from './status.tsx';
import { useSending } from './use-sending.ts';

interface DestinationRowProps {
  readonly destination: Destination;
  onAction(action: Action): void;
}

export function DestinationRow({ destination, onAction }: DestinationRowProps) {
  const workspaceId = useWorkspaceId();
  const { id, name, kind, last_day: day } = destination;
  return (
    <Table.Tr>
      <Table.Td maw={280}>
        <TextLink
          to="/w/$workspaceId/destinations/$destinationId"
          params={{ workspaceId, destinationId: id }}
          fw={580}
          size="sm"
          className="wrap"
          dir="auto"
        >
          {name}
        </TextLink>
        <Text size="xs" c="dimmed" className="cut">
          {placeOf(destination)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Icon name={kindIcons[kind]} size={15} />
          <Text size="sm">{kindNames[kind]}</Text>
        </Group>
      </Table.Td>
      <Table.Td>
        <StatusTag destination={destination} />
        <StatusNote destination={destination} />
      </Table.Td>
      <Table.Td data-label="Delivered">
        <Count destination={destination} state="delivered" count={day.delivered} />
      </Table.Td>
      <Table.Td data-label="Waiting">
        <div>
          <Count destination={destination} state="pending" count={day.waiting} />
          {day.oldest_waiting_at !== null && (
            <Text size="xs" c="dimmed" component="div">
              oldest <TimeAgo time={day.oldest_waiting_at} size="xs" />
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td data-label="Dead">
        <Count destination={destination} state="dead" count={day.dead} />
      </Table.Td>
      <Table.Td data-label="p95">
        <Text size="sm" className="numbers cut" {...(day.p95_ms === null ? { c: 'dimmed' } : {})}>
          {day.p95_ms === null ? '–' : `${numberText(day.p95_ms)} ms`}
        </Text>
      </Table.Td>
      <Table.Td>
        <RowMenu destination={destination} onAction={onAction} />
      </Table.Td>
    </Table.Tr>
  );
}

interface CountProps {
  readonly destination: Destination;
  readonly state: 'delivered' | 'pending' | 'dead';
  readonly count: number;
}

/** A link to the deliveries that it counts. */
function Count({ destination, state, count }: CountProps) {
  const workspaceId = useWorkspaceId();
  if (count === 0)
    return (
      <Text size="sm" c="dimmed" className="numbers">
        0
      </Text>
    );
  return (
    <TextLink
      to="/w/$workspaceId/deliveries"
      params={{ workspaceId }}
      search={{ destination_id: destination.id, state }}
      size="sm"
      className="numbers"
      {...(state === 'dead' ? { c: 'var(--rejected-text)', fw: 620 } : { c: 'inherit' })}
    >
      {numberText(count)}
    </TextLink>
  );
}

function RowMenu({ destination, onAction }: DestinationRowProps) {
  const sending = useMutation({ ...useSending(destination), onError: toastProblem });
  const isActive = destination.status === 'active';
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={sending.isPending}
          aria-label={`Actions for ${destination.name}`}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<Icon name={isActive ? 'pause' : 'play'} size={15} />}
          onClick={() => sending.mutate(!isActive)}
        >
          {isActive ? 'Pause' : 'Resume'}
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="send" size={15} />} onClick={() => onAction('test')}>
          Send test
        </Menu.Item>
        <Menu.Item
          color="red"
          leftSection={<Icon name="trash" size={15} />}
          onClick={() => onAction('delete')}
        >
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
