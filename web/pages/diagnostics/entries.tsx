import { Box, Group, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { entriesQuery, formsQuery, tokensQuery } from '../../api/queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDiagnosticsSearch } from './diagnostics-address.ts';
import { EntryRow } from './entry-row.tsx';
import { OpenRequest } from './request/open-request.tsx';
import { useOpenRequest } from './request/request-address.ts';

interface EntriesProps {
  readonly category: Diagnostics['items'][number]['category'];
}

/** Single rejections. Counts are exact; in a flood only some entries are kept, and the page says so. */
export function Entries({ category }: EntriesProps) {
  const workspaceId = useWorkspaceId();
  const { filters, reason } = useDiagnosticsSearch();
  const query = useInfiniteQuery(entriesQuery(workspaceId, { ...filters, category, reason }));
  const { openId, open } = useOpenRequest();
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  const names = new Map(
    [...(forms.data?.items ?? []), ...(tokens.data?.items ?? [])].map(({ id, name }) => [id, name]),
  );
  if (query.error && !query.data) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  const entries = query.data.pages.flatMap(({ items }) => items);
  const counted = query.data.pages[0]?.by_reason.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const drawer = <OpenRequest ids={entries.map(({ id }) => id)} />;
  if (entries.length === 0) return drawer;
  return (
    <Box>
      {drawer}
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Individual requests
        </Title>
        <Text size="xs" c="dimmed" className="numbers" aria-live="polite">
          {summary(entries.length, counted, query.hasNextPage)}
        </Text>
      </Group>
      <Box className="panel">
        <StackedTable minWidth={740}>
          <Table verticalSpacing={6}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={30} aria-label="Details" />
                <Table.Th>Time</Table.Th>
                <Table.Th>Reason</Table.Th>
                <Table.Th>Sent to</Table.Th>
                <Table.Th>Request ID</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {entries.map((entry) => (
                <EntryRow
                  key={entry.id}
                  entry={entry}
                  names={names}
                  isOpen={entry.id === openId}
                  onOpen={() => open(entry.id)}
                />
              ))}
            </Table.Tbody>
          </Table>
        </StackedTable>
      </Box>
      <MoreButton label="Show more" query={query} />
    </Box>
  );
}

function summary(shown: number, counted: number, hasMore: boolean): string {
  if (shown >= counted || hasMore) return `Showing ${shown} of ${counted}`;
  return `Showing ${shown} of ${counted}; in a flood only some entries are kept`;
}
