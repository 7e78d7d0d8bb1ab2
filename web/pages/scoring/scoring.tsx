import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormScoring } from '../../../src/contract/scoring.ts';
import { api } from '../../api/client.ts';
import { scoringQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { Loaded } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { DryRunCard } from './dry-run-card.tsx';
import { DryRunExamples } from './dry-run-examples.tsx';
import { LearningCard } from './learning-card.tsx';
import { ListsCard } from './lists-card.tsx';
import { firstRulesView, type RulesView } from './rule-groups.ts';
import { RulesCard } from './rules-card.tsx';
import { useDraftDryRun } from './use-draft-dry-run.ts';
import { VerdictCard } from './verdict-card.tsx';

export function Scoring() {
  return <ScoringOfForm key={useFormId()} />;
}

function ScoringOfForm() {
  const query = useQuery(scoringQuery(useWorkspaceId(), useFormId()));
  // Here, so that saving does not fold the rules again.
  const [view, setView] = useState(firstRulesView);
  return (
    <Loaded query={query}>
      {(scoring) => <Editor key={scoring.version} scoring={scoring} view={view} onView={setView} />}
    </Loaded>
  );
}

interface EditorProps {
  readonly scoring: FormScoring;
  readonly view: RulesView;
  readonly onView: (view: RulesView) => void;
}

function Editor({ scoring, view, onView }: EditorProps) {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const isOwner = useIsOwner();
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: scoring.settings,
    inputs: ['preset', 'weights', 'honeypot', 'expect', 'allow', 'block'],
    within: 'settings',
    send: (settings) =>
      api('PUT', '/workspaces/:workspace_id/forms/:form_id/scoring', {
        params: { workspace_id: workspaceId, form_id: formId },
        body: { settings, expected_version: scoring.version },
      }),
    onSuccess: (saved) => {
      toastDone(`Saved as version ${saved.version}. New leads are scored with it.`);
      return queryClient.invalidateQueries({ queryKey: scoringQuery(workspaceId, formId).queryKey });
    },
  });
  const { mutation } = form;
  const hasErrors = Object.keys(form.errors).length > 0;
  const problem = form.problem ?? (hasErrors ? 'Not saved. Correct the settings marked in red.' : undefined);
  const isDirty = form.isDirty();
  const tried = useDraftDryRun(form.values, isDirty);
  useUnsavedGuard(isDirty && !mutation.isSuccess);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="lg">
          <VerdictCard form={form} />
          <LearningCard form={form} />
          <ListsCard form={form} />
          <RulesCard form={form} saved={scoring.settings} view={view} onView={onView} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="md" pos="sticky" top={72}>
          {isOwner && (
            <Stack gap="sm" className="panel" p="md">
              <Text size="sm" component="div" c="dimmed">
                {scoring.updated_at === null ? (
                  'Default settings. Nobody has changed them yet.'
                ) : (
                  <>
                    Version {scoring.version}, saved by {scoring.updated_by}{' '}
                    <TimeAgo time={scoring.updated_at} />.
                  </>
                )}
              </Text>
              {problem && (
                <Alert color="red" role="alert">
                  {problem}
                </Alert>
              )}
              <Group gap="xs">
                <Button onClick={() => mutation.mutate()} disabled={!isDirty} loading={mutation.isPending}>
                  Save
                </Button>
                {isDirty && (
                  <Button variant="subtle" color="gray" onClick={form.reset}>
                    Discard
                  </Button>
                )}
              </Group>
            </Stack>
          )}
          {isOwner && <DryRunCard tried={tried} isDirty={isDirty} />}
        </Stack>
      </Grid.Col>
      {tried.result && tried.result.examples.length > 0 && (
        <Grid.Col span={12}>
          <DryRunExamples examples={tried.result.examples} isBusy={tried.isBusy} />
        </Grid.Col>
      )}
    </Grid>
  );
}
