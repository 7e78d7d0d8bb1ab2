import { Box, Button, Grid, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Form } from '../../../src/contract/forms/form.ts';
import type { SignatureDebugInput } from '../../../src/contract/signature-debug.ts';
import { ApiProblem } from '../../api/client.ts';
import { diagnosticsQuery, formsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Empty, Failure, Loaded, Loading } from '../../parts/states.tsx';
import { signingFailures } from '../../parts/text/rejection-name.ts';
import type { DebuggerSearch } from '../../search.ts';
import { useWorkspace, useWorkspaceId } from '../../shell/workspace.ts';
import { DebugResult } from './debug-result.tsx';
import { nothingPasted, PastedRequest, type PasteMode, questionFrom } from './pasted-request.tsx';
import { RecordedRequests } from './recorded-requests.tsx';
import { useDebug } from './use-debug.ts';

const page = getRouteApi('/signed-in/w/$workspaceId/debugger');

/** Finds out what went wrong with a signed request. The API does the work; the secret stays on the server. */
export function Debugger() {
  const workspaceId = useWorkspaceId();
  const isMember = useWorkspace()?.role === 'member';
  const forms = useQuery(formsQuery(workspaceId));
  return (
    <>
      <PageHeader
        title="Signature debugger"
        text="Find out why a signed webhook request was rejected, and how to fix it."
      />
      {isMember ? (
        <Failure error={ownersOnly} />
      ) : (
        <Loaded query={forms}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                icon="debugger"
                title="No forms yet"
                text="Create a form and set its webhook secret to debug requests to it."
              />
            ) : (
              <Settled>
                <Workbench forms={items} />
              </Settled>
            )
          }
        </Loaded>
      )}
    </>
  );
}

const ownersOnly = new ApiProblem(403, {
  code: 'forbidden',
  detail: 'Only an owner of this workspace can debug signatures. Ask one for the verdict.',
});

function Workbench({ forms }: { forms: readonly Form[] }) {
  const search = page.useSearch();
  const navigate = page.useNavigate();
  const change = (values: DebuggerSearch) =>
    void navigate({ to: '.', search: { ...search, ...values }, replace: true });
  const mode = search.mode ?? 'recorded';
  useNewestFailure(forms, search, change);
  const form =
    forms.find(({ id }) => id === search.form) ?? (search.form ? undefined : formToStartWith(forms));
  const formId = search.form ?? form?.id;
  const { pasted, question, canRun, run, nth } = useQuestion(formId, mode, search.rejection);
  const debug = useDebug({ formId, question, nth });
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Box className="panel" p="lg">
          <Stack gap="md">
            <Select
              label="Form"
              data={forms.map(({ id, name }) => ({ value: id, label: name }))}
              value={formId ?? null}
              allowDeselect={false}
              onChange={(value) => change({ form: value ?? undefined, rejection: undefined })}
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
            {mode !== 'recorded' && (
              <Button
                onClick={() => run()}
                disabled={!canRun}
                loading={debug.isFetching}
                leftSection={<Icon name="search" />}
              >
                Debug request
              </Button>
            )}
          </Stack>
        </Box>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }} aria-live="polite">
        {question === null && <HowItWorks />}
        {question !== null && debug.isPending && <Loading rows={3} />}
        {debug.error && <Failure error={debug.error} retry={() => run()} />}
        {debug.data && (
          <DebugResult
            // The next request starts at the top of its verdict.
            key={debug.dataUpdatedAt}
            answer={debug.data}
            slug={form?.slug}
            onJudgeAt={mode === 'recorded' ? undefined : (time) => run({ sentAt: time })}
          />
        )}
      </Grid.Col>
    </Grid>
  );
}

/** Chooses the newest failure, of the chosen form if there is one, while no request is chosen. It stays when newer ones arrive. */
function useNewestFailure(
  forms: readonly Form[],
  { form, rejection, mode }: DebuggerSearch,
  choose: (values: DebuggerSearch) => void,
): void {
  const isOpen = rejection === undefined && mode === undefined;
  const { data, isPlaceholderData } = useQuery({
    ...diagnosticsQuery(useWorkspaceId(), { ...signingFailures, form_id: form }),
    enabled: isOpen,
  });
  const known = isOpen && !isPlaceholderData ? data?.items : undefined;
  const newest = known?.find(({ form_id }) => forms.some(({ id }) => id === form_id));
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when there is something to choose.
  useEffect(() => {
    if (newest) choose({ form: newest.form_id ?? undefined, rejection: newest.id });
  }, [newest?.id]);
}

/**
 * What is being debugged. A recorded request is asked about as soon as it is chosen, so that a link is enough; a pasted one
 * when the button is pressed, until it is edited or another form is chosen.
 */
function useQuestion(
  formId: string | undefined,
  mode: 'recorded' | PasteMode,
  rejection: string | undefined,
) {
  const [asked, setAsked] = useState('');
  const [nth, setNth] = useState(0);
  const pasted = useForm({ initialValues: nothingPasted });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was pasted belongs to one form and one request.
  useEffect(() => {
    pasted.reset();
  }, [formId, rejection]);
  const keyOf = (question: SignatureDebugInput | null) => JSON.stringify([formId, mode, question]);
  const given =
    mode !== 'recorded'
      ? questionFrom(mode, pasted.values)
      : rejection === undefined
        ? null
        : { rejection_id: rejection };
  return {
    pasted,
    nth,
    question: mode === 'recorded' || asked === keyOf(given) ? given : null,
    canRun: formId !== undefined && given !== null,
    run(changes: Partial<typeof nothingPasted> = {}) {
      setNth(nth + 1);
      if (mode === 'recorded') return;
      pasted.setValues(changes);
      setAsked(keyOf(questionFrom(mode, { ...pasted.values, ...changes })));
    },
  };
}

/** One that can get signed requests, if there is one. */
function formToStartWith(forms: readonly Form[]): Form | undefined {
  return forms.find(({ active, webhook_secret }) => active && webhook_secret.configured) ?? forms[0];
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
