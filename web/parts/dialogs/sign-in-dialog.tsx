import { Modal, Stack, Text } from '@mantine/core';
import { SignInForm } from '../sign-in-form.tsx';

interface SignInDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function SignInDialog({ opened, onClose, onDone }: SignInDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={<Text fw={620}>Your session has ended</Text>} size="sm">
      <Stack>
        <Text size="sm" c="dimmed">
          Sign in again to continue. Nothing you typed is lost.
        </Text>
        <SignInForm onDone={onDone} />
      </Stack>
    </Modal>
  );
}
