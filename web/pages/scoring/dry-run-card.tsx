import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { DryRun } from '../../../src/contract/scoring.ts';
import { api } from '../../api/client.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Failure } from '../../parts/states.tsx';
import { useFormId, useWorkspaceId } from '../../shell/workspace.ts';
import { VerdictBadge } from '../leads/table/cells.tsx';
import type { ScoringSettings } from './settings-draft.ts';

const examplesMax = 5;

/** What the draft would do to the newest leads. */
export function DryRunCard({ settings, isDirty }: { settings: ScoringSettings; isDirty: boolean }) {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const run = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/scoring/dry-run', {
        params: { workspace_id: workspaceId, form_id: formId },
        body: { settings, limit: 500 },
      }),
  });
  return (
    <Box className="panel" p="md">
      <Title order={2} size="h5">
        Dry run
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        Scores the newest 500 leads with your draft. Nothing is saved.
      </Text>
      <Stack gap="sm" aria-live="polite">
        <Button
          variant="default"
          leftSection={<Icon name="spark" size={15} />}
          loading={run.isPending}
          disabled={!isDirty}
          onClick={() => run.mutate()}
        >
          Start dry run
        </Button>
        {run.error && <Failure error={run.error} />}
        {run.data && <DryRunResult result={run.data} workspaceId={workspaceId} />}
      </Stack>
    </Box>
  );
}

function DryRunResult({ result, workspaceId }: { result: DryRun; workspaceId: string }) {
  if (result.leads === 0) return <Text size="sm">This form has no leads yet.</Text>;
  return (
    <Stack gap={8}>
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
      {result.examples.slice(0, examplesMax).map((example) => (
        <TextLink
          key={example.submission_id}
          to="/w/$workspaceId/leads/$leadId"
          params={{ workspaceId, leadId: example.submission_id }}
          size="xs"
        >
          Risk {example.from.risk} → {example.to.risk}
        </TextLink>
      ))}
    </Stack>
  );
}
