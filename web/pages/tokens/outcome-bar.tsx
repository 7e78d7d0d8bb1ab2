import { Box, Stack, Text, Tooltip } from '@mantine/core';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import { numberText } from '../../parts/numbers.ts';

/** Accepted, rejected and rate limited as parts of one bar; only what happened is listed. */
export function OutcomeBar({
  totals,
  reasons,
}: {
  totals: Diagnostics['totals'];
  reasons: Diagnostics['by_reason'];
}) {
  const all = totals.accepted + totals.other + totals.rate_limited;
  if (all === 0) {
    return (
      <Text size="sm" c="dimmed">
        No traffic
      </Text>
    );
  }
  const parts = [
    { count: totals.accepted, className: 'fill-accepted' },
    { count: totals.other, className: 'fill-rejected' },
    { count: totals.rate_limited, className: 'fill-limited' },
  ].filter(({ count }) => count > 0);
  const details = [
    `${numberText(totals.accepted)} accepted`,
    ...reasons.map(({ reason, count }) => `${numberText(count)} ${reason}`),
  ];
  return (
    <Tooltip
      label={
        <Stack gap={0}>
          {details.map((line) => (
            <Text key={line} size="xs">
              {line}
            </Text>
          ))}
        </Stack>
      }
    >
      <Stack gap={4}>
        <Box className="bar" aria-hidden="true">
          {parts.map(({ count, className }) => (
            <span key={className} className={className} style={{ flexGrow: count }} />
          ))}
        </Box>
        <Text size="xs" c="dimmed" className="numbers">
          {numberText(totals.accepted)} of {numberText(all)} accepted
        </Text>
      </Stack>
    </Tooltip>
  );
}
