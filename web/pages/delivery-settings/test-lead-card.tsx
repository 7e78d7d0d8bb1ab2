import { Alert, Box, Button, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import type { TestLead } from '../../../src/contract/forms.ts';
import { api } from '../../api/client.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Failure } from '../../parts/states.tsx';

export function TestLeadCard({ form }: { form: Form }) {
  const queryClient = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/forms/:form_id/test-lead', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
        body: {},
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['leads', form.workspace_id] }),
  });
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="xs">
        Test lead
      </Title>
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          A real request: signed with the secret, posted to the webhook URL, scored and stored. It counts
          towards your limits.
        </Text>
        <Button
          variant="default"
          leftSection={<Icon name="send" size={15} />}
          disabled={!form.webhook_secret.configured}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          Send test lead
        </Button>
        {!form.webhook_secret.configured && (
          <Text size="xs" c="dimmed">
            Set a secret first.
          </Text>
        )}
        <Box w="100%" aria-live="polite">
          {send.data && <TestLeadResult form={form} result={send.data} />}
          {send.error && <Failure error={send.error} />}
        </Box>
      </Stack>
    </Box>
  );
}

function TestLeadResult({ form, result }: { form: Form; result: TestLead }) {
  const workspaceId = form.workspace_id;
  if (result.submission_id !== null) {
    return (
      <Alert color="teal" icon={<Icon name="check" />} title={`Accepted in ${result.took_ms} ms`}>
        <TextLink
          to="/w/$workspaceId/leads/$leadId"
          params={{ workspaceId, leadId: result.submission_id }}
          size="sm"
        >
          View lead
        </TextLink>
      </Alert>
    );
  }
  return (
    <Alert color="red" icon={<Icon name="ban" />} title="Rejected">
      <Text size="sm">
        Senders are not told why.{' '}
        <TextLink
          to="/w/$workspaceId/tokens/diagnostics"
          params={{ workspaceId }}
          search={{ request_id: result.request_id ?? '' }}
          size="sm"
        >
          See the reason in diagnostics
        </TextLink>
      </Text>
    </Alert>
  );
}
