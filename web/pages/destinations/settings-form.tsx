import { Alert, Box, Button, Grid, Group, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import {
  destinationQuery,
  destinationsQuery,
  hubspotPropertiesQuery,
} from '../../api/destination-queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../parts/dialogs/unsaved-guard.ts';
import { toastDone } from '../../parts/toast.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { draftOf } from './draft/draft.ts';
import { LeadInputs } from './draft/lead-inputs.tsx';
import { changedOf } from './draft/sent-draft.ts';
import { useDryRun } from './draft/use-dry-run.ts';
import { ContentInputs, contentTitles } from './kinds/content-inputs.tsx';
import { WhereInputs } from './kinds/where-inputs.tsx';
import { DryRunCard } from './preview/dry-run-card.tsx';

interface SettingsFormProps {
  readonly destination: Destination;
  readonly forms: readonly Form[];
  /** Below the dry run. */
  readonly beside: ReactNode;
}

/** The buttons are outside the form, because so is what else is beside it: a dialog has its own form. */
const formId = 'destination-settings';

export function SettingsForm({ destination, forms, beside }: SettingsFormProps) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: draftOf(destination),
    async send(draft) {
      const body = changedOf(form.getInitialValues(), draft);
      if (Object.keys(body).length === 0) return destination;
      return api('PATCH', '/workspaces/:workspace_id/destinations/:destination_id', {
        params: { workspace_id: workspaceId, destination_id: destination.id },
        body,
      });
    },
    onSuccess(saved, sent) {
      // Another token may be of another account.
      if (sent.token !== null)
        queryClient.removeQueries({
          queryKey: hubspotPropertiesQuery(workspaceId, destination.id, null).queryKey,
        });
      // The values of headers are not kept, so the draft is not what was sent.
      const stored = draftOf(saved);
      form.setInitialValues(stored);
      form.setValues(stored);
      toastDone('Destination saved. Deliveries that wait are sent with the new settings.');
      queryClient.setQueryData(destinationQuery(workspaceId, destination.id).queryKey, saved);
      return queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey });
    },
  });
  const isDirty = form.isDirty();
  useUnsavedGuard(isDirty);
  const tried = useDryRun(form.values, destination.id);
  const shared = { form, forms, errors: { ...tried.errors, ...form.errors } };
  const hasErrors = Object.keys(form.errors).length > 0;
  const problem = form.problem ?? (hasErrors ? 'Not saved. Correct the settings marked in red.' : undefined);
  const isOutdated =
    isDirty && JSON.stringify(draftOf(destination)) !== JSON.stringify(form.getInitialValues());
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, lg: 7 }}>
        <form id={formId} onSubmit={form.submit}>
          <Stack gap="lg">
            <Part title="Where">
              <WhereInputs form={form} stored={destination} />
            </Part>
            <Part title="Which leads">
              <LeadInputs {...shared} />
            </Part>
            <Part title={contentTitles[destination.kind]}>
              <ContentInputs {...shared} destinationId={destination.id} />
            </Part>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 5 }}>
        <Stack gap="lg" pos="sticky" top={72}>
          <Stack gap="sm" className="panel" p="md">
            {isOutdated && (
              <Alert color="yellow" role="status">
                Someone changed this destination in the meantime. Saving changes only what you have changed
                here.
              </Alert>
            )}
            {problem && (
              <Alert color="red" role="alert">
                {problem}
              </Alert>
            )}
            <Group gap="xs">
              <Button type="submit" form={formId} disabled={!isDirty} loading={form.mutation.isPending}>
                Save changes
              </Button>
              {isDirty && (
                <Button variant="subtle" color="gray" onClick={form.reset}>
                  Discard changes
                </Button>
              )}
            </Group>
          </Stack>
          <DryRunCard tried={tried} draft={form.values} />
          {beside}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box className="panel" p="lg" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="md">
        {title}
      </Title>
      {children}
    </Box>
  );
}
