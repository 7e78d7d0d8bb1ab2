import { SimpleGrid } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { countText, percentText } from '../../parts/numbers.ts';
import { Tile } from './tiles.tsx';

/** How much is accepted, and how long our responses take. */
export function RateAndTimes({ totals, handling }: Pick<Diagnostics, 'totals' | 'handling'>) {
  const all = totals.accepted + totals.other + totals.rate_limited;
  // Whatever the filters: the times of responses are of the workspace.
  const requests =
    handling.count === 0 ? 'no requests' : `of ${countText(handling.count, 'request')} to the workspace`;
  return (
    <SimpleGrid cols={3} mb="lg" spacing={{ base: 8, xs: 'md' }}>
      <Tile
        icon="spark"
        label="Acceptance rate"
        value={all === 0 ? '–' : percentText(totals.accepted / all)}
        note="accepted, of these submissions"
        color="var(--mantine-color-text)"
      />
      <Tile
        icon="clock"
        label="Median response"
        value={millisecondText(handling.p50_ms)}
        note={`half of our responses are faster, ${requests}`}
        color="var(--mantine-color-text)"
      />
      <Tile
        icon="clock"
        label="95th percentile"
        value={millisecondText(handling.p95_ms)}
        note={`95% of our responses are faster, ${requests}`}
        color="var(--mantine-color-text)"
      />
    </SimpleGrid>
  );
}

const two = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });

/** From a histogram, so it is about right. */
function millisecondText(ms: number | null): string {
  if (ms === null) return '–';
  return ms < 1_000 ? `about ${two.format(ms)} ms` : `about ${two.format(ms / 1_000)} s`;
}
