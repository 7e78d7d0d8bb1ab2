import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, callAuth } from '../api/client.ts';

export function SignInForm({ onDone }: { onDone: () => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: (credentials: { email: string; password: string }) => callAuth('/sign-in/email', credentials),
    onSuccess: onDone,
    meta: { isSignIn: true },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!signIn.isPending) signIn.mutate({ email, password });
      }}
    >
      <Stack gap="sm">
        {signIn.error && (
          <Alert color="red" role="alert">
            {explain(signIn.error)}
          </Alert>
        )}
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Button type="submit" loading={signIn.isPending} mt="xs" fullWidth>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

/** Unknown address and wrong password are one answer, here as in the API. */
function explain(error: Error): string {
  if (!(error instanceof ApiProblem)) return error.message;
  if (error.status === 401 || error.status === 400 || error.status === 422)
    return 'This email and password do not belong together.';
  if (error.status === 429) return 'Too many tries. Wait a minute and try again.';
  return error.message;
}
