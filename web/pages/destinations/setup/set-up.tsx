import { Alert, Box, Button, Grid, Group, Stack, Stepper } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { ApiProblem, api } from '../../../api/client.ts';
import { destinationsQuery } from '../../../api/destination-queries.ts';
import { formsQuery } from '../../../api/queries.ts';
import { useApiForm } from '../../../parts/api-form.tsx';
import { useUnsavedGuard } from '../../../parts/dialogs/unsaved-guard.ts';
import { TextLink } from '../../../parts/links.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { newDraft, settingsOf } from '../draft/draft.ts';
import { DryRunCard } from '../draft/dry-run-card.tsx';
import { FormatInputs } from '../draft/format-inputs.tsx';
import { LeadInputs } from '../draft/lead-inputs.tsx';
import { useDryRun } from '../draft/use-dry-run.ts';
import { WhereInputs } from '../draft/where-inputs.tsx';
import { CreatedStep } from './created-step.tsx';
import { KindStep } from './kind-step.tsx';

/** Each step with the fields of the API whose errors it shows. */
const steps: readonly { readonly label: string; readonly fields: readonly string[] }[] = [
  { label: 'Kind', fields: ['kind'] },
  { label: 'Where', fields: ['name', 'url', 'headers', 'secret'] },
  { label: 'Which leads', fields: ['form_ids', 'filter', 'events', 'send_when', 'wait_max_s'] },
  { label: 'Format', fields: ['format', 'mapping', 'per_second'] },
];
const lastStep = steps.length - 1;

export function SetUpDestination() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const [step, setStep] = useState(0);
  const [kind, setKind] = useState<Destination['kind']>('webhook');
  const forms = useQuery(formsQuery(workspaceId)).data?.items ?? [];
  const form = useApiForm({
    initialValues: newDraft(),
    send: ({ secret, ...draft }) =>
      api('POST', '/workspaces/:workspace_id/destinations', {
        params: { workspace_id: workspaceId },
        body: { kind, ...settingsOf(draft), ...(secret === '' ? {} : { secret }) },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey }),
  });
  const { data: created, error, isPending, mutate } = form.mutation;
  const tried = useDryRun(form.values, null);
  useUnsavedGuard(form.isDirty() && created === undefined);
  useEffect(() => {
    const wrong = stepWith(error);
    if (wrong !== undefined) setStep(wrong);
  }, [error]);
  if (created !== undefined) return <CreatedStep created={created} />;
  const shared = { form, forms, errors: { ...tried.errors, ...form.errors } };
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    if (step < lastStep) setStep(step + 1);
    else if (!isPending) mutate();
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
        {steps.map(({ label }) => (
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
              {step === 0 && <KindStep kind={kind} onChange={setKind} />}
              {step === 1 && <WhereInputs form={form} stored={null} />}
              {step === 2 && <LeadInputs {...shared} />}
              {step === 3 && <FormatInputs {...shared} />}
              <Group gap="xs">
                {step > 0 && (
                  <Button variant="default" onClick={() => setStep(step - 1)}>
                    Back
                  </Button>
                )}
                <Button type="submit" loading={isPending}>
                  {step < lastStep ? 'Continue' : 'Create destination'}
                </Button>
              </Group>
            </Stack>
          </Grid.Col>
          {step >= 2 && (
            <Grid.Col span={{ base: 12, lg: 5 }}>
              <Box pos="sticky" top={72}>
                <DryRunCard tried={tried} />
              </Box>
            </Grid.Col>
          )}
        </Grid>
      </form>
    </>
  );
}

/** The first step that has something to correct. */
function stepWith(error: Error | null): number | undefined {
  const wrong = error instanceof ApiProblem ? error.errors.map(({ field }) => /^\w+/.exec(field)?.[0]) : [];
  const found = steps.findIndex(({ fields }) => fields.some((field) => wrong.includes(field)));
  return found === -1 ? undefined : found;
}
