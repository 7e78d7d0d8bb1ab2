import { Alert, Modal, PasswordInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Form } from '../../../src/contract/forms/form.ts';
import { api } from '../../api/client.ts';
import { formsQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { DialogForm } from '../../parts/dialogs/dialog-form.tsx';
import { OverlapChoice, overlapDefault } from '../../parts/dialogs/overlap-choice.tsx';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { Icon } from '../../parts/icons.tsx';
import { exactTime } from '../../parts/time.tsx';

interface SecretDialogProps {
  readonly form: Form;
  readonly opened: boolean;
  onClose(): void;
}

export function SecretDialog({
  form: { id, workspace_id, webhook_secret },
  opened,
  onClose,
}: SecretDialogProps) {
  const queryClient = useQueryClient();
  const { configured } = webhook_secret;
  const form = useApiForm({
    initialValues: { secret: '', overlap_seconds: overlapDefault },
    send: ({ secret, overlap_seconds }) =>
      api('PUT', '/workspaces/:workspace_id/forms/:form_id/webhook-secret', {
        params: { workspace_id, form_id: id },
        body: {
          ...(secret === '' ? {} : { secret }),
          overlap_seconds: configured ? Number(overlap_seconds) : 0,
        },
      }),
  });
  // The list is fetched again only when the dialog is closed: a new row must not wipe a secret before it is copied.
  const close = () => {
    onClose();
    form.reset();
    void queryClient.invalidateQueries({ queryKey: formsQuery(workspace_id).queryKey });
  };
  const rotated = form.mutation.data;
  if (rotated) {
    const until = rotated.previous_valid_until;
    return (
      <ShownOnce
        opened={opened}
        onClose={close}
        title="Your webhook secret"
        value={rotated.secret}
        name="secret"
      >
        {until === null
          ? 'Only this secret is valid from now on.'
          : `The previous secret stays valid until ${exactTime(until)}.`}
      </ShownOnce>
    );
  }
  return (
    <Modal opened={opened} onClose={close} title={<Text fw={620}>New webhook secret</Text>}>
      <DialogForm form={form} submitLabel={configured ? 'Rotate secret' : 'Set secret'} onCancel={close}>
        <PasswordInput
          label="Your own secret"
          description="Leave empty to generate a strong one (recommended)."
          autoComplete="off"
          {...form.getInputProps('secret')}
        />
        {configured && (
          <OverlapChoice
            label="Keep the current secret valid for"
            withoutOverlap="Requests signed with the current secret are rejected immediately. Choose this after a leak."
            withOverlap="Senders keep working while you move them to the new secret."
            value={form.values.overlap_seconds}
            input={form.getInputProps('overlap_seconds', { withError: false })}
          />
        )}
        {webhook_secret.previous_valid_until !== null && (
          <Alert color="yellow" icon={<Icon name="clock" />} p="xs">
            Two secrets are valid at the moment. Rotating now ends the older one immediately.
          </Alert>
        )}
      </DialogForm>
    </Modal>
  );
}
