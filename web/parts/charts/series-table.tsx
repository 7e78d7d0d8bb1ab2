import { Box, Table } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { numberText } from '../numbers.ts';
import { exactTime } from '../time.tsx';

type Series = Diagnostics['series'];

interface SeriesTableProps {
  readonly series: Series;
  readonly shown: readonly { readonly name: 'accepted' | 'other' | 'rate_limited'; readonly label: string }[];
  readonly height: number;
}

/** The chart as a table, for people who cannot see it or want the numbers. */
export function SeriesTable({ series, shown, height }: SeriesTableProps) {
  const filled = series.filter((point) => shown.some(({ name }) => point[name] > 0));
  return (
    <Box mah={height} style={{ overflow: 'auto' }} tabIndex={0} role="region" aria-label="Counts over time">
      <Table verticalSpacing={4} stickyHeader className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            {shown.map(({ name, label }) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {filled.map((point) => (
            <Table.Tr key={point.at}>
              <Table.Td>{exactTime(point.at)}</Table.Td>
              {shown.map(({ name }) => (
                <Table.Td key={name}>{numberText(point[name])}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
