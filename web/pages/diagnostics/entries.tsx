import { Box, Button, Group, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useContext, useEffect, useRef, useState } from 'react';
import { entriesQuery, formsQuery, tokensQuery } from '../../api/queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDiagnosticsSearch } from './diagnostics-address.ts';
import { EntryRow } from './entry-row.tsx';
import { LiveContext, useLiveOptions, useStillRows } from './live.ts';
import { OpenRequest } from './request/open-request.tsx';
import { useOpenRequest } from './request/request-address.ts';

const pageMax = 50;

/** Single rejections. Counts are exact; in a flood only some entries are kept, and the page says so. */
export function Entries() {
  const workspaceId = useWorkspaceId();
  const { rejections } = useDiagnosticsSearch();
  const isLive = useContext(LiveContext);
  const query = useInfiniteQuery({ ...entriesQuery(workspaceId, rejections), ...useLiveOptions() });
  const { openId, open } = useOpenRequest();
  const forms = useQuery(formsQuery(workspaceId));
  const tokens = useQuery(tokensQuery(workspaceId));
  const names = new Map(
    [...(forms.data?.items ?? []), ...(tokens.data?.items ?? [])].map(({ id, name }) => [id, name]),
  );
  const name = JSON.stringify(rejections);
  const latest = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const { shown, handlers, isPaused, resume } = useStillRows(latest, name, query.isPlaceholderData);
  const arrived = useArrived(latest, shown, name, query.isPlaceholderData || !query.data);
  if (query.error && !query.data) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  const counted = query.data.pages[0]?.by_reason.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const isWaiting = isPaused && latest[0]?.id !== shown[0]?.id;
  return (
    <Box>
      <OpenRequest ids={shown.map(({ id }) => id)} />
      <Group justify="space-between" mb="xs" hidden={shown.length === 0}>
        <Title order={2} size="h5">
          Individual requests
        </Title>
        <Group gap="xs">
          <Text size="xs" c="dimmed" className="numbers" aria-live="polite">
            {isLive ? arrivedText(arrived) : ''}
          </Text>
          {isWaiting && (
            <Button size="compact-xs" variant="light" onClick={resume}>
              Show new requests
            </Button>
          )}
          <Text size="xs" c="dimmed" className="numbers">
            {summary(shown.length, counted, query.hasNextPage)}
          </Text>
        </Group>
      </Group>
      {shown.length > 0 && (
        <Box className="panel" {...handlers}>
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
                {shown.map((entry) => (
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
      )}
      <MoreButton label="Show more" query={query} />
    </Box>
  );
}

interface Identified {
  readonly id: string;
}

/** How many requests came since the rows were last the same, or while they stand still. Other filters begin at zero. */
function useArrived(
  latest: readonly Identified[],
  shown: readonly Identified[],
  name: string,
  isOld: boolean,
): number {
  const known = useRef<{ name: string; ids: ReadonlySet<string> } | null>(null);
  const [arrived, setArrived] = useState(0);
  const newest = latest[0]?.id;
  const isStill = newest !== shown[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest of the rows stands for all of them.
  useEffect(() => {
    if (isOld) return;
    const before = known.current;
    if (before?.name !== name) setArrived(0);
    else {
      const count = latest.findIndex(({ id }) => before.ids.has(id));
      const isNone = count === 0 || latest.length === 0;
      if (!isNone) setArrived(count === -1 ? Math.min(latest.length, pageMax) : count);
    }
    if (!isStill) known.current = { name, ids: new Set(latest.map(({ id }) => id)) };
  }, [name, newest, isStill, isOld]);
  return arrived;
}

function arrivedText(count: number): string {
  if (count === 0) return '';
  return count >= pageMax ? `${pageMax} or more new requests` : countText(count, 'new request');
}

/** Counts are of the last minute or so, and may not contain the newest entries yet. */
function summary(shown: number, counted: number, hasMore: boolean): string {
  const text = `Showing ${numberText(shown)} of ${numberText(counted)}`;
  return shown >= counted || hasMore ? text : `${text}; in a flood only some entries are kept`;
}
