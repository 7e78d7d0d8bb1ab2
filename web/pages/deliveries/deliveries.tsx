import { Box, Button, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import type { Delivery } from '../../../src/contract/destinations/deliveries.ts';
import { deliveriesQuery } from '../../api/destination-queries.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDeliverySearch } from './delivery-address.ts';
import { DeliveryFilterBar } from './delivery-filters.tsx';
import { DeliveryRow } from './delivery-row.tsx';
import { ReplayProgress } from './replay-progress.tsx';
import { SendAgain } from './send-again.tsx';

export function Deliveries() {
  const workspaceId = useWorkspaceId();
  const { filters, isFiltered, clear, search, change } = useDeliverySearch();
  const query = useInfiniteQuery(deliveriesQuery(workspaceId, filters));
  const deliveries = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const isEmpty = deliveries.length === 0 && query.isSuccess && !query.isPlaceholderData;
  return (
    <>
      <PageHeader title="Deliveries" text="What was sent to destinations, newest first. Kept for 90 days.">
        {deliveries.length > 0 && <SendAgain filters={filters} onStarted={(replay) => change({ replay })} />}
      </PageHeader>
      {search.replay !== undefined && (
        <ReplayProgress replayId={search.replay} onClose={() => change({ replay: undefined })} />
      )}
      <DeliveryFilterBar />
      {deliveries.length === 0 && !isEmpty && !query.error && <Loading rows={6} />}
      {query.error && deliveries.length === 0 && (
        <Failure error={query.error} retry={() => void query.refetch()} />
      )}
      {isEmpty && isFiltered && (
        <Empty
          icon="search"
          title="No deliveries match these filters"
          text="Clear the filters to see all deliveries."
        >
          <Button variant="default" onClick={clear}>
            Clear filters
          </Button>
        </Empty>
      )}
      {isEmpty && !isFiltered && <NoDeliveries workspaceId={workspaceId} />}
      {deliveries.length > 0 && (
        <Stack gap={0} opacity={query.isPlaceholderData ? 0.6 : 1}>
          <DeliveryTable deliveries={deliveries} />
          <MoreButton label="Show older deliveries" query={query} />
          <Text size="xs" c="dimmed" mt="xs" role="status">
            {deliveries.length} {query.hasNextPage ? 'loaded' : 'in this list'}
          </Text>
        </Stack>
      )}
      <Outlet />
    </>
  );
}

function NoDeliveries({ workspaceId }: { workspaceId: string }) {
  return (
    <Empty
      icon="deliveries"
      title="No deliveries in the last 90 days"
      text="Each lead that a destination gets is a delivery. One appears here when a lead matches a destination."
    >
      <ButtonLink to="/w/$workspaceId/destinations" params={{ workspaceId }} variant="default">
        Go to destinations
      </ButtonLink>
    </Empty>
  );
}

function DeliveryTable({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <Box className="panel">
      <StackedTable minWidth={760}>
        <Table highlightOnHover highlightOnHoverColor="var(--page)" verticalSpacing={8}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Created</Table.Th>
              <Table.Th>Destination</Table.Th>
              <Table.Th>Event</Table.Th>
              <Table.Th>State</Table.Th>
              <Table.Th>Attempts</Table.Th>
              <Table.Th>Last response</Table.Th>
              <Table.Th aria-label="Lead" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </Table.Tbody>
        </Table>
      </StackedTable>
    </Box>
  );
}
