import { Box, Button, Group, Table, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useContext, useRef } from 'react';
import { entriesQuery } from '../../api/queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useDiagnosticsSearch } from './diagnostics-address.ts';
import { EntryRow } from './entry-row.tsx';
import { LiveContext, useLiveOptions, useStillRows } from './live.ts';
import { useNames } from './names.ts';
import { OpenRequest } from './request/open-request.tsx';
import { useOpenRequest } from './request/request-address.ts';

const pageMax = 50;

/** Single rejections. Counts are exact; beyond a limit there are no entries, and the page says how many are missing. */
export function Entries() {
  const workspaceId = useWorkspaceId();
  const { rejections } = useDiagnosticsSearch();
  const isLive = useContext(LiveContext);
  const query = useInfiniteQuery({ ...entriesQuery(workspaceId, rejections), ...useLiveOptions() });
  const { openId, open } = useOpenRequest();
  const names = useNames();
  const name = JSON.stringify(rejections);
  const latest = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const { shown, handlers, isPaused, resume } = useStillRows(latest, name, query.isPlaceholderData);
  const arrived = useArrived(latest, name, query.isPlaceholderData || !query.data);
  if (query.error && !query.data) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <Loading />;
  const counted = query.data.pages[0]?.by_reason.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const onlyCounted = query.data.pages[0]?.only_counted ?? 0;
  const waiting = isPaused ? newerThan(new Set(shown.map(({ id }) => id)), latest) : 0;
  return (
    <Box>
      <OpenRequest ids={shown.map(({ id }) => id)} />
      <Group justify="space-between" mb="xs" hidden={shown.length + onlyCounted === 0}>
        <Title order={2} size="h5">
          Individual requests
        </Title>
        <Group gap="xs">
          <Text size="xs" c="dimmed" className="numbers" aria-live="polite">
            {isLive ? arrivedText(waiting || arrived) : ''}
          </Text>
          {waiting > 0 && (
            <Button size="compact-xs" variant="light" onClick={resume}>
              Show new requests
            </Button>
          )}
          <Text size="xs" c="dimmed" className="numbers">
            {summary(shown.length, counted, onlyCounted)}
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

/** How many requests came since the rows were first shown. Other filters begin at zero. */
function useArrived(latest: readonly Identified[], name: string, isOld: boolean): number {
  const first = useRef<{ readonly name: string; readonly ids: ReadonlySet<string> } | null>(null);
  if (isOld) return 0;
  if (first.current?.name !== name) first.current = { name, ids: new Set(latest.map(({ id }) => id)) };
  return newerThan(first.current.ids, latest);
}

/** Before the first that is known, because the newest come first. */
function newerThan(known: ReadonlySet<string>, latest: readonly Identified[]): number {
  const place = latest.findIndex(({ id }) => known.has(id));
  return place === -1 ? latest.length : place;
}

function arrivedText(count: number): string {
  if (count === 0) return '';
  return count >= pageMax ? `${pageMax} or more new requests` : countText(count, 'new request');
}

function summary(shown: number, counted: number, onlyCounted: number): string {
  const text = `Showing ${numberText(shown)} of ${numberText(counted)}`;
  return onlyCounted === 0 ? text : `${text}; ${numberText(onlyCounted)} are only counted`;
}
