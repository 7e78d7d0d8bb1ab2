import { Alert, Button, Group, Modal, PasswordInput, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { Icon } from '../../parts/icons.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { exactTime } from '../../parts/time.tsx';

const overlaps = [
  { value: '0', label: 'None' },
  { value: '3600', label: '1 hour' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
];

export function SecretDialog({
  form,
  opened,
  onClose,
}: {
  form: Form;
  opened: boolean;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const { configured } = form.webhook_secret;
  const [own, setOwn] = useState('');
  const [overlap, setOverlap] = useState('86400');
  const rotate = useMutation({
    mutationFn: () =>
      api('PUT', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', {
        params: { workspace_id: form.workspace_id, form_id: form.id },
        body: {
          ...(own === '' ? {} : { secret: own }),
          overlap_seconds: configured ? Number(overlap) : 0,
        },
      }),
  });
  // The list is read anew only when the dialog is gone: a fresh row must never wipe a secret before it is copied.
  const close = () => {
    onClose();
    setOwn('');
    rotate.reset();
    void queryClient.invalidateQueries({ queryKey: formsQuery(form.workspace_id).queryKey });
  };
  if (rotate.data) {
    const until = rotate.data.previous_valid_until;
    return (
      <ShownOnce
        opened={opened}
        onClose={close}
        title="Your webhook secret"
        value={rotate.data.secret}
        name="secret"
      >
        {until === null
          ? 'Only this secret verifies from now on.'
          : `The former secret also verifies until ${exactTime(until)}.`}
      </ShownOnce>
    );
  }
  const problem = remainingProblem(rotate.error, ['secret', 'overlap_seconds']);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={<Text fw={620}>{configured ? 'Rotate the webhook secret' : 'Set a webhook secret'}</Text>}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!rotate.isPending) rotate.mutate();
        }}
      >
        <Stack gap="md">
          {problem && (
            <Alert color="red" role="alert">
              {problem}
            </Alert>
          )}
          <PasswordInput
            label="Your own secret"
            description="Leave it empty and a strong one is made, which is best."
            autoComplete="off"
            value={own}
            onChange={(event) => setOwn(event.currentTarget.value)}
            error={faultOf(rotate.error, 'secret')}
          />
          {configured && (
            <Stack gap={4}>
              <Text size="sm" fw={500} id="overlap-label">
                How long the present secret also verifies
              </Text>
              <SegmentedControl
                aria-labelledby="overlap-label"
                data={overlaps}
                value={overlap}
                onChange={setOverlap}
              />
              <Text size="xs" c="dimmed">
                {overlap === '0'
                  ? 'Requests signed with the present secret are rejected at once. Right after a leak.'
                  : 'Senders keep working while you move them to the new one.'}
              </Text>
            </Stack>
          )}
          {form.webhook_secret.previous_valid_until !== null && (
            <Alert color="yellow" icon={<Icon name="clock" />} p="xs">
              An overlap is open. Rotating now ends it: the older of the two secrets stops at once.
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              {configured ? 'Rotate secret' : 'Set secret'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
