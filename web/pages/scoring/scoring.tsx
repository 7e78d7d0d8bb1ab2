import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormScoring } from '../../../src/contract/scoring.ts';
import { api } from '../../api/client.ts';
import { scoringQuery } from '../../api/queries.ts';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { remainingProblem } from '../../parts/problem.ts';
import { Loaded } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { DryRunCard } from './dry-run-card.tsx';
import { ListsCard } from './lists-card.tsx';
import { RulesCard } from './rules-card.tsx';
import type { SettingsDraft } from './settings-draft.ts';
import { VerdictCard } from './verdict-card.tsx';

export function Scoring() {
  const query = useQuery(scoringQuery(useWorkspaceId(), useFormId()));
  return <Loaded query={query}>{(scoring) => <Editor key={scoring.version} scoring={scoring} />}</Loaded>;
}

function Editor({ scoring }: { scoring: FormScoring }) {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const isOwner = useIsOwner();
  const queryClient = useQueryClient();
  const [settings, setSettings] = useState(scoring.settings);
  const change: SettingsDraft['change'] = (values) => setSettings((before) => ({ ...before, ...values }));
  const isDirty = JSON.stringify(settings) !== JSON.stringify(scoring.settings);
  const save = useMutation({
    mutationFn: () =>
      api('PUT', '/workspaces/:workspace_id/forms/:form_id/scoring', {
        params: { workspace_id: workspaceId, form_id: formId },
        body: { settings, expected_version: scoring.version },
      }),
    onSuccess: (saved) => {
      toastDone(`Saved as version ${saved.version}. Leads from now on are scored with it.`);
      return queryClient.invalidateQueries({ queryKey: scoringQuery(workspaceId, formId).queryKey });
    },
  });
  useUnsavedGuard(isDirty && !save.isSuccess);
  const problem = remainingProblem(save.error, []);
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="lg">
          <VerdictCard settings={settings} change={change} />
          <ListsCard settings={settings} change={change} />
          <RulesCard settings={settings} change={change} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="md" pos="sticky" top={72}>
          {isOwner && (
            <Stack gap="sm" className="panel" p="md">
              <Text size="sm" component="div" c="dimmed">
                {scoring.updated_at === null ? (
                  'The defaults apply: nobody has changed anything yet.'
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
                <Button onClick={() => save.mutate()} disabled={!isDirty} loading={save.isPending}>
                  Save
                </Button>
                {isDirty && (
                  <Button variant="subtle" color="gray" onClick={() => setSettings(scoring.settings)}>
                    Discard
                  </Button>
                )}
              </Group>
            </Stack>
          )}
          {isOwner && <DryRunCard settings={settings} isDirty={isDirty} />}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}
