import { Box, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { type Action, ActionDialogs } from './action-dialogs.tsx';
import { DestinationRow } from './destination-row.tsx';

export function Destinations() {
  const workspaceId = useWorkspaceId();
  const query = useQuery(destinationsQuery(workspaceId));
  const [acting, setActing] = useState<{ action: Action; destination: Destination } | null>(null);
  const button = (
    <ButtonLink
      to="/w/$workspaceId/destinations/new"
      params={{ workspaceId }}
      leftSection={<Icon name="plus" />}
    >
      Add destination
    </ButtonLink>
  );
  return (
    <>
      <PageHeader
        title="Destinations"
        text="Where leads go: each lead that matches is sent within seconds or in a digest, and tried again for three days."
      >
        {button}
      </PageHeader>
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="destinations"
              title="No destinations yet"
              text="A destination sends leads to people or to another system: by email, to a chat channel, to HubSpot, or as a signed webhook to any program. Until you add one, leads stay here, and leave only by export or API."
            >
              {button}
            </Empty>
          ) : (
            <DestinationTable
              destinations={items}
              onAction={(action, destination) => setActing({ action, destination })}
            />
          )
        }
      </Loaded>
      <ActionDialogs
        action={acting?.action ?? null}
        destination={acting?.destination ?? null}
        onClose={() => setActing(null)}
      />
    </>
  );
}

const nowrap = { whiteSpace: 'nowrap' } as const;

interface DestinationTableProps {
  readonly destinations: readonly Destination[];
  onAction(action: Action, destination: Destination): void;
}

function DestinationTable({ destinations, onAction }: DestinationTableProps) {
  return (
    <Box className="panel">
      <StackedTable minWidth={860}>
        <Table highlightOnHover highlightOnHoverColor="var(--page)">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Destination</Table.Th>
              <Table.Th>Kind</Table.Th>
              <Table.Th>Status</Table.Th>
              <Table.Th style={nowrap}>Delivered (24 h)</Table.Th>
              <Table.Th>Waiting</Table.Th>
              <Table.Th style={nowrap}>Dead (24 h)</Table.Th>
              <Table.Th>p95</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {destinations.map((destination) => (
              <DestinationRow
                key={destination.id}
                destination={destination}
                onAction={(action) => onAction(action, destination)}
              />
            ))}
          </Table.Tbody>
        </Table>
      </StackedTable>
    </Box>
  );
}
