import { Box, Table } from '@mantine/core';
import type { HealthSeries } from '../../../../src/contract/operator/health.ts';
import { charts } from './charts.ts';

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const columns = charts.flatMap(({ lines, text }) => lines.map((line) => ({ ...line, text })));

/** Newest first, because the newest are asked for. */
export function RecentTable({ series }: { series: HealthSeries }) {
  return (
    <Box
      mah={360}
      style={{ overflow: 'auto' }}
      tabIndex={0}
      role="region"
      aria-label="Numbers of the last hour"
    >
      <Table verticalSpacing={4} stickyHeader className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Until</Table.Th>
            {columns.map(({ name, label }) => (
              <Table.Th key={name}>{label}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {series.points.toReversed().map((point) => (
            <Table.Tr key={point.at}>
              <Table.Td>{clock.format(new Date(point.at))}</Table.Td>
              {columns.map(({ name, text }) => (
                <Table.Td key={name}>{valueText(point[name], text)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Box>
  );
}

function valueText(value: number | null, text: (value: number) => string): string {
  return value === null ? '–' : text(value);
}
