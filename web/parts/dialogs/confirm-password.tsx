import { Button, Group, Modal, PasswordInput, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiProblem, api } from '../../api/client.ts';
import { provideAsk } from '../../api/password-proof.ts';
import { meQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../api-form.tsx';

/** Above the dialog whose call needs the password. */
const zIndex = 300;
/** By then the page shows that the call was cancelled, and its button can be focused again. */
const focusAfterMs = 10;

/** Asks for the password before a secret is shown or replaced. The call behind it waits and keeps what was typed. */
export function ConfirmPassword() {
  const [isOpen, setOpen] = useState(false);
  const settle = useRef<((isProved: boolean) => void) | null>(null);
  const back = useRef<Element | null>(null);
  useEffect(
    () =>
      provideAsk(() => {
        back.current = lastFocused;
        setOpen(true);
        return new Promise((resolve) => {
          settle.current = resolve;
        });
      }),
    [],
  );
  const close = useCallback((isProved: boolean) => {
    setOpen(false);
    settle.current?.(isProved);
    settle.current = null;
    setTimeout(() => back.current instanceof HTMLElement && back.current.focus(), focusAfterMs);
  }, []);
  const cancel = useCallback(() => close(false), [close]);
  useOwnEscape(isOpen, cancel);
  return (
    <Modal
      opened={isOpen}
      onClose={cancel}
      title={<Text fw={620}>Confirm it’s you</Text>}
      closeOnEscape={false}
      returnFocus={false}
      size="sm"
      zIndex={zIndex}
    >
      <PasswordForm onProved={() => close(true)} onCancel={cancel} />
    </Modal>
  );
}

/** A button that was just pressed is disabled while its call runs, and the browser takes the focus from it. */
let lastFocused: Element | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastFocused = target instanceof Element ? target : null;
});

/** Escape cancels this dialog and not the one below, which listens on the window, too, but later. */
function useOwnEscape(isOpen: boolean, cancel: () => void): void {
  const isOwn = useRef(isOpen);
  isOwn.current = isOpen;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isOwn.current || event.key !== 'Escape' || event.isComposing) return;
      event.stopImmediatePropagation();
      cancel();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [cancel]);
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
        withAsterisk={false}
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
