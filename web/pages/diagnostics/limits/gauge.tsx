import { Box, Group, Text } from '@mantine/core';
import type { RateLimit } from '../../../../src/contract/diagnostics/rate-limits.ts';
import { Icon } from '../../../parts/icons.tsx';
import { numberText, percentText } from '../../../parts/numbers.ts';
import { surfaceTitle } from '../../../parts/text/surface-name.ts';
import { exactTime } from '../../../parts/time.tsx';

/** One limit: how much of it is used now, the peak, and when it is reached. */
export function Gauge({ limit }: { limit: RateLimit }) {
  const { surface, window, used, max, peak } = limit;
  const share = Math.min(1, used / max);
  const title = `${surfaceTitle(surface)}, per ${window}`;
  const isReached = used >= max;
  return (
    <Box className="panel" p="md" role="group" aria-label={title}>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Text size="sm" fw={560}>
          {title}
        </Text>
        <Text size="sm" className="numbers">
          {numberText(used)} of {numberText(max)}
        </Text>
      </Group>
      <Box
        className="gauge"
        role="meter"
        aria-label={`Used now: ${title}`}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={Math.min(used, max)}
        aria-valuetext={`${numberText(used)} of ${numberText(max)}, ${percentText(share)}`}
      >
        <span className={isReached ? 'fill-limited' : 'fill-used'} style={{ width: `${share * 100}%` }} />
        {peak !== null && (
          <i className="gauge-peak" style={{ left: `${Math.min(1, peak.count / max) * 100}%` }} aria-hidden />
        )}
      </Box>
      <Text size="xs" c="dimmed" className="numbers">
        {peak === null
          ? 'No submissions in this time'
          : `Peak ${numberText(peak.count)} at ${exactTime(peak.at)}`}
      </Text>
      <StateText limit={limit} isReached={isReached} />
    </Box>
  );
}

function StateText({ limit, isReached }: { limit: RateLimit; isReached: boolean }) {
  const text = stateText(limit, isReached);
  if (text === null) return null;
  return (
    <Group gap={5} wrap="nowrap" align="flex-start" mt={4} c="var(--limited-text)">
      <Icon name={isReached ? 'gauge' : 'clock'} size={14} />
      <Text size="xs">{text}</Text>
    </Group>
  );
}

function stateText(
  { window, reached_at, resets_at, exhausts_at }: RateLimit,
  isReached: boolean,
): string | null {
  if (exhausts_at !== null)
    return `At this rate the ${window}'s limit is reached at ${exactTime(exhausts_at)}.`;
  if (!isReached || resets_at === null) return null;
  const since =
    reached_at === null ? 'The limit is used up' : `The limit was reached at ${exactTime(reached_at)}`;
  return `${since}, and applies until ${exactTime(resets_at)}.`;
}
