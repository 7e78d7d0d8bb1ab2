import { Box, Button, Grid, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Failure, Loaded } from '../../parts/states.tsx';
import type { DebuggerSearch } from '../../search.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { DebugResult } from './debug-result.tsx';
import { nothingPasted, PastedRequest, questionFrom } from './pasted-request.tsx';
import { RecordedRequests } from './recorded-requests.tsx';

const page = getRouteApi('/signed-in/w/$workspaceId/debugger');

/** Finds out what went wrong with a signed request. The API does the work; the secret stays on the server. */
export function Debugger() {
  const workspaceId = useWorkspaceId();
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: DebuggerSearch) =>
    void navigate({ to: '.', search: { ...search, ...values }, replace: true });
  const forms = useQuery(formsQuery(workspaceId));
  const pasted = useForm({ initialValues: nothingPasted });
  const mode = search.mode ?? 'recorded';
  const formId = search.form ?? formToStartWith(forms.data?.items ?? []);
  const debug = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/signature-debug', {
        params: { workspace_id: workspaceId, form_id: formId ?? '' },
        body:
          mode === 'recorded' ? { rejection_id: search.rejection ?? '' } : questionFrom(mode, pasted.values),
      }),
  });
  const { whole, body } = pasted.values;
  const isGiven = mode === 'recorded' ? search.rejection !== undefined : whole + body !== '';
  const isReady = formId !== undefined && isGiven;
  return (
    <>
      <PageHeader
        title="Signature debugger"
        text="Find out why a signed webhook request was rejected, and how to fix it."
      />
      <Loaded query={forms}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon="debugger"
              title="No forms yet"
              text="Create a form and set its webhook secret to debug requests to it."
            />
          ) : (
            <Grid gap="lg">
              <Grid.Col span={{ base: 12, md: 5 }}>
                <Box className="panel" p="lg">
                  <Stack gap="md">
                    <Select
                      label="Form"
                      data={items.map(({ id, name }) => ({ value: id, label: name }))}
                      value={formId ?? null}
                      allowDeselect={false}
                      onChange={(form) => change({ form: form ?? undefined, rejection: undefined })}
                    />
                    <SegmentedControl
                      aria-label="Source of the request"
                      data={[
                        { value: 'recorded', label: 'Rejected' },
                        { value: 'whole', label: 'Paste request' },
                        { value: 'parts', label: 'Paste parts' },
                      ]}
                      value={mode}
                      onChange={(value) => change({ mode: value === 'recorded' ? undefined : value })}
                    />
                    {mode === 'recorded' ? (
                      <RecordedRequests
                        formId={formId ?? ''}
                        chosen={search.rejection}
                        onChoose={(rejection) => change({ rejection })}
                      />
                    ) : (
                      <PastedRequest mode={mode} form={pasted} />
                    )}
                    <Button
                      onClick={() => debug.mutate()}
                      disabled={!isReady}
                      loading={debug.isPending}
                      leftSection={<Icon name="search" />}
                    >
                      Debug request
                    </Button>
                  </Stack>
                </Box>
              </Grid.Col>
              <Grid.Col span={{ base: 12, md: 7 }} aria-live="polite">
                {debug.error && <Failure error={debug.error} retry={() => debug.mutate()} />}
                {debug.data && !debug.error && <DebugResult answer={debug.data} />}
                {!debug.data && !debug.error && <HowItWorks />}
              </Grid.Col>
            </Grid>
          )
        }
      </Loaded>
    </>
  );
}

/** A form with a secret, if there is one. */
function formToStartWith(forms: readonly Form[]): string | undefined {
  return (forms.find((form) => form.webhook_secret.configured) ?? forms[0])?.id;
}

function HowItWorks() {
  return (
    <Box className="panel" p="lg">
      <Text size="sm" c="dimmed">
        Choose a rejected request, or paste one: a curl command, the HTTP request, or its parts. The secret
        stays on the server. Nothing is stored, and no signature is created.
      </Text>
    </Box>
  );
}
