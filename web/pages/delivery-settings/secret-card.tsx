import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery, secretUseQuery } from '../../api/queries.ts';
import { RemoveButton } from '../../parts/dialogs/remove-button.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { Overlap } from './overlap.tsx';
import { SecretDialog } from './secret-dialog.tsx';

export function SecretCard({ form }: { form: Form }) {
  const { configured, set_at, previous_valid_until } = form.webhook_secret;
  const [isOpen, dialog] = useDisclosure();
  return (
    <Box className="panel" p="lg">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Webhook secret
        </Title>
        <Tag tone={configured ? 'good' : 'quiet'}>{configured ? 'Set' : 'Not set'}</Tag>
      </Group>
      <Stack gap="sm">
        {configured && set_at !== null ? (
          <SecretIdentity form={form} setAt={set_at} />
        ) : (
          <Text size="sm">Until you set a secret, every webhook request to this form is rejected.</Text>
        )}
        {previous_valid_until !== null && <Overlap form={form} until={previous_valid_until} />}
        <Group gap="xs">
          <Button
            onClick={dialog.open}
            leftSection={<Icon name={configured ? 'refresh' : 'token'} size={15} />}
          >
            {configured ? 'Rotate secret' : 'Set secret'}
          </Button>
          {configured && <RemoveSecret form={form} />}
        </Group>
      </Stack>
      <SecretDialog form={form} opened={isOpen} onClose={dialog.close} />
    </Box>
  );
}

/** What is known about the secret without showing it. */
function SecretIdentity({ form, setAt }: { form: Form; setAt: string }) {
  const { data } = useQuery(secretUseQuery(form.workspace_id, form.id));
  const { prefix = null, set_by = null, last_verified_at = null } = data ?? {};
  return (
    <>
      <Text size="sm" component="div" className="wrap">
        {prefix !== null && (
          <>
            <code>{prefix}…</code>{' '}
          </>
        )}
        Set <TimeAgo time={setAt} size="inherit" />
        {set_by !== null && ` by ${set_by}`}. It was shown once and cannot be shown again.
      </Text>
      {data !== undefined && (
        <Text size="sm" component="div">
          {last_verified_at === null ? (
            'No signature has matched it yet.'
          ) : (
            <>
              Last verified <TimeAgo time={last_verified_at} size="inherit" />.
            </>
          )}
        </Text>
      )}
    </>
  );
}

function RemoveSecret({ form }: { form: Form }) {
  return (
    <RemoveButton
      title="Remove the webhook secret?"
      action="Remove secret"
      remove={() =>
        api('DELETE', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', {
          params: { workspace_id: form.workspace_id, form_id: form.id },
        })
      }
      queryKey={formsQuery(form.workspace_id).queryKey}
    >
      Every webhook request to <b className="wrap">{form.name}</b> is then rejected with the reason{' '}
      <i>secret_not_configured</i>. Tokens keep working.
    </RemoveButton>
  );
}
