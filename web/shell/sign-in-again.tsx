import { Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { queryClient, sessionEnded } from '../api/query-client.ts';
import { SignInForm } from '../parts/sign-in-form.tsx';

/** Covers the page when the session has ended, so that nothing typed is lost. */
export function SignInAgain() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const open = () => setOpen(true);
    sessionEnded.addEventListener('ended', open);
    return () => sessionEnded.removeEventListener('ended', open);
  }, []);
  const done = () => {
    setOpen(false);
    void queryClient.invalidateQueries();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={() => setOpen(false)}
      title={<Text fw={620}>Your session has ended</Text>}
      size="sm"
    >
      <Stack>
        <Text size="sm" c="dimmed">
          Sign in again to continue. Nothing you typed is lost.
        </Text>
        <SignInForm onDone={done} />
      </Stack>
    </Modal>
  );
}
