import { Box, Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { QuarantinedLead } from '../../../src/contract/operator.ts';
import { quarantineQuery } from '../../api/operator-queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { countText } from '../../parts/numbers.ts';
import { Empty, Failure, Loading } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { DiscardButton, StoreButton } from './quarantine-decisions.tsx';

export function Quarantine() {
  const query = useInfiniteQuery(quarantineQuery);
  const leads = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      <Text size="sm" c="dimmed" mb="md" maw={680}>
        Leads that were accepted while PostgreSQL was down and could not be stored afterwards. Their senders
        got a 202, so refused leads stay here until you store or discard them. You cannot see their contents.
      </Text>
      {query.isPending && <Loading />}
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.data && leads.length === 0 && (
        <Empty
          icon="check"
          title="Quarantine is empty"
          text="No lead waits for you to store or discard it."
        />
      )}
      {leads.length > 0 && <Leads leads={leads} />}
      <MoreButton label="Show more" query={query} />
    </>
  );
}

function Leads({ leads }: { leads: readonly QuarantinedLead[] }) {
  return (
    <Box className="panel" px="lg" py="xs">
      <StackedTable minWidth={720}>
        <Table horizontalSpacing="xs" verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Workspace</Table.Th>
              <Table.Th>Reason</Table.Th>
              <Table.Th>Received</Table.Th>
              <Table.Th ta="right">Size</Table.Th>
              <Table.Th aria-label="Actions" />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {leads.map((lead) => (
              <Row key={lead.id} lead={lead} />
            ))}
          </Table.Tbody>
        </Table>
      </StackedTable>
    </Box>
  );
}

function Row({ lead }: { lead: QuarantinedLead }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={550} className="wrap">
          {lead.workspace_name}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {lead.submission_id}
        </Text>
      </Table.Td>
      <Table.Td maw={340}>
        <Why lead={lead} />
      </Table.Td>
      <Table.Td data-label="Received">
        <TimeAgo time={lead.received_at} />
      </Table.Td>
      <Table.Td ta="right" className="numbers" data-label="Size">
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {countText(lead.bytes, 'byte')}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4} justify="flex-end" wrap="nowrap">
          {lead.kind === 'refused' && <StoreButton lead={lead} />}
          <DiscardButton lead={lead} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

function Why({ lead }: { lead: QuarantinedLead }) {
  if (lead.kind === 'refused')
    return (
      <Stack gap={4} align="flex-start">
        <Tag tone="bad">Refused</Tag>
        <Text size="xs" c="dimmed" className="wrap">
          {lead.reason ?? 'PostgreSQL refused it.'}
        </Text>
      </Stack>
    );
  return (
    <Stack gap={4} align="flex-start">
      <Tag tone="quiet">Different body</Tag>
      <Text size="xs" c="dimmed" component="div">
        Its idempotency key belongs to a lead with a different body.
        {lead.expires_at && (
          <>
            {' '}
            It will be deleted <TimeUntil time={lead.expires_at} size="xs" />.
          </>
        )}
      </Text>
    </Stack>
  );
}
