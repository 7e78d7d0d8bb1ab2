import { Box, Group, Progress, Text, Title } from '@mantine/core';
import type { EnrichmentProvider } from '../../../src/contract/enrichment.ts';
import { numberText } from '../../parts/numbers.ts';
import { Tag } from '../../parts/tag.tsx';
import { exactTime } from '../../parts/time.tsx';

/** How many of today's lookups at your provider are used. */
export function BudgetCard({ provider }: { provider: EnrichmentProvider }) {
  const { daily_limit: limit, used_today: used, resets_at } = provider;
  const isUsedUp = used >= limit;
  return (
    <Box className="panel" p="lg" role="group" aria-label="Lookups today">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Lookups today
        </Title>
        {isUsedUp && (
          <Tag tone="warning" icon="clock">
            Limit reached
          </Tag>
        )}
      </Group>
      <Text fz={26} fw={650} lh={1.3} className="numbers">
        {numberText(used)}{' '}
        <Text span size="sm" c="dimmed" fw={400}>
          of {numberText(limit)}
        </Text>
      </Text>
      <Progress
        value={limit === 0 ? 100 : Math.min(100, (used / limit) * 100)}
        {...(isUsedUp ? { color: 'orange' } : {})}
        aria-label="Today's lookups used"
        my="xs"
      />
      <Text size="xs" c="dimmed">
        {isUsedUp
          ? `Leads are enriched without your provider until ${exactTime(resets_at)}.`
          : `Resets at ${exactTime(resets_at)}. Cached responses do not count.`}
      </Text>
    </Box>
  );
}
