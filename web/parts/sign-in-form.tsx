import { Button, PasswordInput, TextInput } from '@mantine/core';
import { ApiProblem, callAuth } from '../api/client.ts';
import { SubmitForm, useApiForm } from './api-form.tsx';

export function SignInForm({ onDone }: { onDone: () => void }) {
  const form = useApiForm({
    initialValues: { email: '', password: '' },
    send: (credentials) => callAuth('/sign-in/email', credentials),
    onSuccess: onDone,
    meta: { isSignIn: true },
  });
  const { error, isPending } = form.mutation;
  return (
    <SubmitForm form={{ ...form, problem: error === null ? undefined : explain(error) }}>
      <TextInput
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        data-autofocus
        {...form.getInputProps('email', { withError: false })}
      />
      <PasswordInput
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        {...form.getInputProps('password', { withError: false })}
      />
      <Button type="submit" loading={isPending} mt="xs" fullWidth>
        Sign in
      </Button>
    </SubmitForm>
  );
}

/** An unknown email and a wrong password get the same text, here as in the API. */
function explain(error: Error): string {
  if (!(error instanceof ApiProblem)) return error.message;
  if (error.status === 401 || error.status === 400 || error.status === 422) return 'Wrong email or password.';
  if (error.status === 429) return 'Too many attempts. Wait a minute and try again.';
  return error.message;
}
