import { Alert, Box, Button, Grid, Group, Stack, Stepper } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { NewDestination } from '../../../../src/contract/destinations/destination-settings.ts';
import { ApiProblem, api } from '../../../api/client.ts';
import { destinationsQuery } from '../../../api/destination-queries.ts';
import { formsQuery } from '../../../api/queries.ts';
import { useApiForm } from '../../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../../parts/dialogs/unsaved-guard.ts';
import { TextLink } from '../../../parts/links.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { type DestinationDraft, newDraft } from '../draft/draft.ts';
import { LeadInputs } from '../draft/lead-inputs.tsx';
import { settingsOf } from '../draft/sent-draft.ts';
import { useDryRun } from '../draft/use-dry-run.ts';
import { ContentInputs, contentTitles } from '../kinds/content-inputs.tsx';
import { useProperties } from '../kinds/hubspot/use-properties.ts';
import { WhereInputs } from '../kinds/where-inputs.tsx';
import { DryRunCard } from '../preview/dry-run-card.tsx';
import { CreatedStep } from './created-step.tsx';
import { KindStep } from './kind-step.tsx';

/** Of each step, the fields of the API whose errors it shows. */
const stepFields: readonly (readonly string[])[] = [
  ['kind'],
  ['name', 'url', 'headers', 'secret', 'recipients', 'service', 'token'],
  ['form_ids', 'filter', 'events', 'send_when', 'wait_max_s'],
  ['format', 'mapping', 'per_second', 'every', 'hour', 'time_zone', 'link_only'],
];
const whereStep = 1;
const lastStep = stepFields.length - 1;

export function SetUpDestination() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const [step, setStep] = useState(0);
  const forms = useQuery(formsQuery(workspaceId)).data?.items ?? [];
  const form = useApiForm({
    initialValues: newDraft('webhook'),
    async send(draft) {
      const params = { workspace_id: workspaceId };
      // A new one has no secret that could stay.
      const body = settingsOf(step === lastStep ? draft : onlyWhere(draft)) as NewDestination;
      if (step === lastStep) return api('POST', '/workspaces/:workspace_id/destinations', { params, body });
      await api('POST', '/workspaces/:workspace_id/destinations/check', { params, body });
      return undefined;
    },
    onSuccess(answer) {
      if (answer === undefined) setStep(step + 1);
      else return queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey });
    },
  });
  const { data: created, error, isPending, mutate } = form.mutation;
  const tried = useDryRun(form.values, null);
  const properties = useProperties(form, null);
  useUnsavedGuard(form.isDirty() && created === undefined);
  useEffect(() => {
    const wrong = stepWith(error);
    if (wrong !== undefined) setStep(wrong);
  }, [error]);
  if (created !== undefined) return <CreatedStep created={created} />;
  const shared = { form, forms, errors: { ...tried.errors, ...form.errors } };
  const goOn = async (event: FormEvent) => {
    event.preventDefault();
    if (isPending || properties.isLoading) return;
    // What is refused is corrected here, and not two steps later. HubSpot itself is asked about its token.
    const asksHubspot = step === whereStep && form.values.kind === 'hubspot' && properties.canLoad;
    if (asksHubspot && !(await properties.load())) return;
    if (step === lastStep || (step === whereStep && !asksHubspot)) mutate();
    else setStep(step + 1);
  };
  return (
    <>
      <PageHeader
        title="Add destination"
        above={
          <TextLink to="/w/$workspaceId/destinations" params={{ workspaceId }} size="sm" c="dimmed">
            Destinations
          </TextLink>
        }
      />
      <Stepper active={step} onStepClick={setStep} allowNextStepsSelect={false} size="sm" mb="lg">
        {['Kind', 'Where', 'Which leads', contentTitles[form.values.kind]].map((label) => (
          <Stepper.Step key={label} label={label} />
        ))}
      </Stepper>
      <form onSubmit={goOn}>
        <Grid gap="lg">
          <Grid.Col span={{ base: 12, lg: step < 2 ? 12 : 7 }}>
            <Stack gap="lg" className="panel" p="lg">
              {form.problem && (
                <Alert color="red" role="alert">
                  {form.problem}
                </Alert>
              )}
              {step === 0 && <KindStep form={form} />}
              {step === 1 && <WhereInputs form={form} stored={null} />}
              {step === 2 && <LeadInputs {...shared} />}
              {step === 3 && <ContentInputs {...shared} destinationId={null} />}
              <Group gap="xs">
                {step > 0 && (
                  <Button variant="default" onClick={() => setStep(step - 1)}>
                    Back
                  </Button>
                )}
                <Button type="submit" loading={isPending || properties.isLoading}>
                  {step < lastStep ? 'Continue' : 'Create destination'}
                </Button>
              </Group>
            </Stack>
          </Grid.Col>
          {step >= 2 && (
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Box pos="sticky" top={72}>
                <DryRunCard tried={tried} draft={form.values} />
              </Box>
            </Grid.Col>
          )}
        </Grid>
      </form>
    </>
  );
}

/** The other steps have no errors of their own yet. */
function onlyWhere(draft: DestinationDraft): DestinationDraft {
  const where = Object.entries(draft).filter(([name]) => stepFields[whereStep]?.includes(name));
  return { ...newDraft(draft.kind), ...Object.fromEntries(where) };
}

/** The first step that has something to correct. */
function stepWith(error: Error | null): number | undefined {
  const wrong = error instanceof ApiProblem ? error.errors.map(({ field }) => /^\w+/.exec(field)?.[0]) : [];
  const found = stepFields.findIndex((fields) => fields.some((field) => wrong.includes(field)));
  return found === -1 ? undefined : found;
}
