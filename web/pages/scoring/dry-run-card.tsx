import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { DryRun } from '../../../src/contract/scoring.ts';
import { Icon } from '../../parts/icons.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Failure } from '../../parts/states.tsx';
import { VerdictBadge } from '../leads/table/cells.tsx';
import { leadsTried, type TriedDraft } from './use-draft-dry-run.ts';

/** What the draft would do to the newest leads, in numbers. */
export function DryRunCard({ tried, isDirty }: { tried: TriedDraft; isDirty: boolean }) {
  const { isStarted, isBusy, error, result } = tried;
  return (
    <Box className="panel" p="md" component="section" aria-labelledby="dry-run-title">
      <Title order={2} size="h5" id="dry-run-title">
        Dry run
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Scores the newest {numberText(leadsTried)} leads with your draft, and again after each change. Nothing
        is saved.
      </Text>
      <Stack gap="sm" aria-live="polite" aria-busy={isBusy}>
        <Button
          variant="default"
          leftSection={<Icon name="spark" size={15} />}
          loading={isBusy}
          disabled={!isDirty}
          onClick={tried.start}
        >
          {isStarted ? 'Run again' : 'Start dry run'}
        </Button>
        {error && <Failure error={error} />}
        {result && <Counts result={result} isStale={isBusy} />}
      </Stack>
    </Box>
  );
}

function Counts({ result, isStale }: { result: DryRun; isStale: boolean }) {
  if (result.leads === 0) return <Text size="sm">This form has no leads yet.</Text>;
  return (
    <Stack gap={8} opacity={isStale ? 0.6 : 1}>
      <Text size="sm">
        <b>{numberText(result.changed)}</b> of {countText(result.leads, 'lead')} would get a different
        verdict.
      </Text>
      {result.by_change.map(({ from, to, count }) => (
        <Group key={`${from} ${to}`} gap={6}>
          <Text size="sm" fw={620} className="numbers" miw={32}>
            {numberText(count)}
          </Text>
          <VerdictBadge verdict={from} />
          <Icon name="right" size={12} />
          <VerdictBadge verdict={to} />
        </Group>
      ))}
      {result.shifted > 0 && (
        <Text size="sm" c="dimmed">
          {numberText(result.shifted)} would keep their verdict with another risk or score.
        </Text>
      )}
    </Stack>
  );
}
