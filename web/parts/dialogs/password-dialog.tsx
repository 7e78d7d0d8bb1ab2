import { Button, Group, Modal, PasswordInput, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiProblem, api } from '../../api/client.ts';
import { meQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../api-form.tsx';

/** Above the dialog whose call needs the password. */
const zIndex = 300;

interface PasswordDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onProved: () => void;
}

export function PasswordDialog({ opened, onClose, onProved }: PasswordDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={<Text fw={620}>Confirm it’s you</Text>}
      closeOnEscape={false}
      returnFocus={false}
      size="sm"
      zIndex={zIndex}
    >
      <PasswordForm onProved={onProved} onCancel={onClose} />
    </Modal>
  );
}

function PasswordForm({ onProved, onCancel }: { onProved: () => void; onCancel: () => void }) {
  const { email } = useQuery(meQuery).data?.user ?? { email: '' };
  const form = useApiForm({
    initialValues: { password: '' },
    send: (body) => api('POST', '/me/password-check', { body }),
    onSuccess: onProved,
  });
  const { error, isPending } = form.mutation;
  // The dialog to sign in again, which the client opens, must not be below this one.
  const hasEnded = error instanceof ApiProblem && error.status === 401;
  useEffect(() => {
    if (hasEnded) onCancel();
  }, [hasEnded, onCancel]);
  return (
    <SubmitForm form={{ ...form, problem: explain(error, form.problem) }}>
      <Text size="sm" c="dimmed" className="wrap">
        Enter the password for {email || 'your account'} to continue. You are asked again after 10 minutes.
      </Text>
      {/* Password managers choose by it. */}
      <VisuallyHidden component="span">
        <input type="text" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
      </VisuallyHidden>
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        data-autofocus
        {...form.getInputProps('password')}
      />
      <Group justify="flex-end" gap="xs" mt="xs">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          Confirm
        </Button>
      </Group>
    </SubmitForm>
  );
}

function explain(error: Error | null, problem: string | undefined): string | undefined {
  const isLimited = error instanceof ApiProblem && error.status === 429;
  return isLimited ? 'Too many attempts. Wait a minute and try again.' : problem;
}
