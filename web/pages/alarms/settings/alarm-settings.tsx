import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlarmSettingsView } from '../../../../src/contract/alarms/alarm-settings.ts';
import { alarmSettingsQuery, saveAlarmSettings } from '../../../api/alarm-queries.ts';
import { ApiProblem } from '../../../api/client.ts';
import { formsQuery, tokensQuery } from '../../../api/queries.ts';
import { useApiForm } from '../../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../../parts/dialogs/unsaved-guard.ts';
import { TextLink } from '../../../parts/links.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { Settled } from '../../../parts/settled.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { TimeAgo } from '../../../parts/time.tsx';
import { toastDone } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { ExceptionsCard } from './exceptions-card.tsx';
import { KindsCard } from './kinds-card.tsx';
import { valuesOf } from './settings-draft.ts';
import { TellingCard } from './telling-card.tsx';

export function AlarmSettingsPage() {
  const workspaceId = useWorkspaceId();
  const query = useQuery(alarmSettingsQuery(workspaceId));
  return (
    <>
      <PageHeader
        title="Alarm settings"
        text="Who is told when something is wrong with your leads, and what counts as wrong."
        above={
          <TextLink to="/w/$workspaceId/alarms" params={{ workspaceId }} size="sm" c="dimmed">
            Alarms
          </TextLink>
        }
      />
      <Settled>
        <Loaded query={query}>{(settings) => <Editor key={workspaceId} settings={settings} />}</Loaded>
      </Settled>
    </>
  );
}

function Editor({ settings }: { settings: AlarmSettingsView }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const forms = useQuery(formsQuery(workspaceId)).data?.items ?? [];
  const tokens = useQuery(tokensQuery(workspaceId)).data?.items ?? [];
  const form = useApiForm({
    initialValues: valuesOf(settings),
    inputs: ['time_zone', 'digest_hour'],
    send: (body) => saveAlarmSettings(workspaceId, body),
    onSuccess(saved) {
      queryClient.setQueryData(alarmSettingsQuery(workspaceId).queryKey, saved);
      form.setInitialValues(valuesOf(saved));
      form.setValues(valuesOf(saved));
      toastDone('Alarm settings saved.');
      return queryClient.invalidateQueries({ queryKey: ['alarms', workspaceId] });
    },
  });
  const { mutation } = form;
  const isDirty = form.isDirty();
  useUnsavedGuard(isDirty);
  const isConflict = mutation.error instanceof ApiProblem && mutation.error.code === 'version_conflict';
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Stack gap="lg">
          <TellingCard form={form} areEmailsAvailable={settings.emails_available} />
          <KindsCard form={form} />
          <ExceptionsCard form={form} forms={forms} tokens={tokens} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <Stack gap="sm" className="panel" p="md" pos="sticky" top={72}>
          <Text size="sm" component="div" c="dimmed" className="wrap">
            {settings.updated_at === null ? (
              'Default settings. Nobody has changed them yet.'
            ) : (
              <>
                Saved by {settings.updated_by} <TimeAgo time={settings.updated_at} />.
              </>
            )}
          </Text>
          {isConflict && (
            <Alert color="yellow" role="alert" p="sm">
              <Text size="sm" mb="xs">
                Someone else has saved these settings in the meantime. Load theirs, then make your changes
                again.
              </Text>
              <Button size="compact-sm" variant="default" onClick={form.reset}>
                Load the newest settings
              </Button>
            </Alert>
          )}
          {!isConflict && form.problem && (
            <Alert color="red" role="alert">
              {form.problem}
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
      </Grid.Col>
    </Grid>
  );
}
