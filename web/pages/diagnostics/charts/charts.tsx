import { Box, Group, Stack, Switch, Text } from '@mantine/core';
import type { Diagnostics } from '../../../../src/contract/diagnostics.ts';
import { OutcomeChart } from '../../../parts/charts/outcome-chart.tsx';
import { rangeLabel } from '../../../parts/charts/time-range.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { RateChart } from './rate-chart.tsx';

/** How much was sent, as bars, and how much of it was accepted, as a line. `isOld`: under the filters before. */
export function Charts({ series, isOld }: { series: Diagnostics['series']; isOld: boolean }) {
  const { search, filters, isFiltered, change } = useDiagnosticsSearch();
  const isEmpty = series.every(({ accepted, other, rate_limited }) => accepted + other + rate_limited === 0);
  const showsAccepted = search.accepted !== '0';
  return (
    <Stack className="panel" p="md" mb="lg" gap="md">
      <Box component="section" aria-label="Volume">
        <OutcomeChart
          series={series}
          shows={showsAccepted ? ['accepted', 'other', 'rate_limited'] : ['other', 'rate_limited']}
          zoom={{
            isZoomed: search.from !== undefined,
            // The range stays in the URL: resetting the zoom returns to it.
            onZoom: (from, to) => change({ from, to }),
            onReset: () => change({ from: undefined, to: undefined }),
          }}
        />
        <Group mt="xs" justify="space-between">
          <Switch
            size="xs"
            label="Show accepted"
            checked={showsAccepted}
            onChange={(event) => change({ accepted: event.currentTarget.checked ? undefined : '0' })}
          />
          {isEmpty && !isOld && (
            <Text size="xs" c="dimmed">
              Nothing{isFiltered ? ' that matches the filters' : ''} was sent in {rangeLabel(filters)}.
            </Text>
          )}
        </Group>
      </Box>
      {!isEmpty && <RateChart series={series} />}
    </Stack>
  );
}
