import { Box, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { RateLimit } from '../../../../src/contract/diagnostics/rate-limits.ts';
import { rateLimitsQuery } from '../../../api/rejection-queries.ts';
import { StackedTable } from '../../../parts/lists/stacked-table.tsx';
import { countText, numberText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { surfaceTitle } from '../../../parts/text/surface-name.ts';
import { exactTime } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { useLiveOptions } from '../live.ts';
import { Gauge } from './gauge.tsx';

function useRateLimits() {
  const { filters } = useDiagnosticsSearch();
  const { range, from, to } = filters;
  return useQuery({ ...rateLimitsQuery(useWorkspaceId(), { range, from, to }), ...useLiveOptions() });
}

/** Which limit, how much of it is used, and how long it rejected submissions. */
export function RateLimits() {
  return (
    <Loaded query={useRateLimits()} rows={3}>
      {({ items }) => (
        <>
          <Title order={2} size="h5" mb="xs">
            Limits of the workspace
          </Title>
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mb="lg">
            {items
              .filter((limit) => isShown(limit, items))
              .map((limit) => (
                <Gauge key={`${limit.surface} ${limit.window}`} limit={limit} />
              ))}
          </SimpleGrid>
          <Spells limits={items} />
        </>
      )}
    </Loaded>
  );
}

/** Surfaces that nobody uses are left out, unless nobody uses any. */
function isShown({ surface }: RateLimit, all: readonly RateLimit[]): boolean {
  const isUsed = (limit: RateLimit) => limit.used > 0 || limit.peak !== null || limit.rejected > 0;
  return !all.some(isUsed) || all.some((limit) => limit.surface === surface && isUsed(limit));
}

function Spells({ limits }: { limits: readonly RateLimit[] }) {
  const spells = limits
    .flatMap((limit) => limit.spells.map((spell) => ({ limit, spell })))
    .toSorted((a, b) => b.spell.from.localeCompare(a.spell.from));
  if (spells.length === 0) return null;
  return (
    <Box mb="lg">
      <Title order={2} size="h5" mb="xs">
        When a limit was reached
      </Title>
      <Box className="panel">
        <StackedTable minWidth={620}>
          <Table verticalSpacing={6} className="numbers">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Limit</Table.Th>
                <Table.Th>From</Table.Th>
                <Table.Th>Lasted</Table.Th>
                <Table.Th>Rejected</Table.Th>
                <Table.Th>Retry-After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {spells.map(({ limit, spell }) => (
                <Table.Tr key={`${limit.surface} ${limit.window} ${spell.from}`}>
                  <Table.Td>
                    {surfaceTitle(limit.surface)}, {numberText(limit.max)} per {limit.window}
                  </Table.Td>
                  <Table.Td data-label="From">{exactTime(spell.from)}</Table.Td>
                  <Table.Td data-label="Lasted">{lengthText(spell)}</Table.Td>
                  <Table.Td data-label="Rejected">{numberText(spell.count)}</Table.Td>
                  <Table.Td data-label="Retry-After">not sent</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </StackedTable>
      </Box>
      <Text size="xs" c="dimmed" mt={4}>
        Senders get the same response as for any rejection, without Retry-After. Whole minutes, as they are
        counted.
      </Text>
    </Box>
  );
}

function lengthText({ from, to }: RateLimit['spells'][number]): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  if (minutes < 60) return countText(minutes, 'minute');
  const rest = minutes % 60;
  return `${countText(Math.floor(minutes / 60), 'hour')}${rest === 0 ? '' : ` ${countText(rest, 'minute')}`}`;
}
