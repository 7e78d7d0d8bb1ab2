import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiProblem, api } from '../../api/client.ts';
import { resetQuery } from '../../api/queries.ts';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard, tokenInAddress } from './entry-card.tsx';

export function Reset() {
  const reset = useQuery(resetQuery(tokenInAddress()));
  const isGone = reset.error instanceof ApiProblem && reset.error.status === 404;
  if (isGone)
    return (
      <EntryCard title="This link has ended" text="It was used already, or it is too old.">
        <Button component="a" href="/forgot" fullWidth>
          Get a new one
        </Button>
      </EntryCard>
    );
  return (
    <EntryCard title="Choose a new password" text="You are signed out everywhere when it is set.">
      <Loaded query={reset} rows={2}>
        {({ email }) => <ResetForm email={email} />}
      </Loaded>
    </EntryCard>
  );
}

function ResetForm({ email }: { email: string }) {
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () =>
      api('POST', '/password-resets/complete', { body: { token: tokenInAddress(), password } }),
    meta: { isSignIn: true },
  });
  if (reset.isSuccess)
    return (
      <Stack gap="sm">
        <Text size="sm" ta="center" role="status">
          The new password is set.
        </Text>
        <Button component="a" href="/sign-in">
          Sign in with it
        </Button>
      </Stack>
    );
  const problem = remainingProblem(reset.error, ['password']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!reset.isPending) reset.mutate();
      }}
    >
      <Stack gap="sm">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {/* Lets a password manager know whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput
          label={`New password for ${email}`}
          description="A sentence is easy to remember and hard to guess."
          autoComplete="new-password"
          autoFocus
          required
          withAsterisk={false}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={faultOf(reset.error, 'password')}
        />
        <Button type="submit" loading={reset.isPending}>
          Set the password
        </Button>
      </Stack>
    </form>
  );
}
