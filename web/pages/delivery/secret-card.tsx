import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/form.ts';
import { forms } from '../../api/calls.ts';
import { formsQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/confirm.tsx';
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
          <Text size="sm" component="div">
            Set <TimeAgo time={set_at} size="inherit" />. It was shown once and cannot be shown again.
          </Text>
        ) : (
          <Text size="sm">Without a secret every webhook of this form is rejected.</Text>
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

function RemoveSecret({ form }: { form: Form }) {
  const [isAsking, ask] = useDisclosure();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: () => forms.removeSecret(form.workspace_id, form.id),
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
    },
  });
  return (
    <>
      <Button variant="subtle" color="red" onClick={ask.open}>
        Remove
      </Button>
      <Confirm
        opened={isAsking}
        title="Remove the webhook secret?"
        action="Remove secret"
        mutation={remove}
        onClose={ask.close}
      >
        From then on every webhook of <b className="wrap">{form.name}</b> is rejected with the reason{' '}
        <i>secret_not_configured</i>. Tokens go on working.
      </Confirm>
    </>
  );
}
