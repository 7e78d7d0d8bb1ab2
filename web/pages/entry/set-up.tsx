import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { setupQuery } from '../../api/queries.ts';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard, tokenInAddress } from './entry-card.tsx';

const fields = ['name', 'email', 'password', 'workspace_name'] as const;

export function SetUp() {
  const setup = useQuery(setupQuery);
  if (setup.data?.needed === false) return <AlreadyDone />;
  return (
    <EntryCard title="Set up Leadgate" text="You become the first owner, with a workspace of your own.">
      <Loaded query={setup}>{() => <SetUpForm />}</Loaded>
    </EntryCard>
  );
}

function SetUpForm() {
  const [values, setValues] = useState({ name: '', email: '', password: '', workspace_name: '' });
  const setUp = useMutation({
    mutationFn: () => api('POST', '/setup', { body: { token: tokenInAddress(), ...values } }),
    onSuccess: () => window.location.replace('/'),
    meta: { isSignIn: true },
  });
  const input = (name: (typeof fields)[number]) => ({
    name,
    value: values[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
    error: faultOf(setUp.error, name),
    required: true,
    withAsterisk: false,
  });
  const problem = remainingProblem(setUp.error, fields);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!setUp.isPending) setUp.mutate();
      }}
    >
      <Stack gap="sm">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput label="Your name" autoComplete="name" autoFocus {...input('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...input('email')} />
        <PasswordInput
          label="Password"
          description="A sentence is easy to remember and hard to guess."
          autoComplete="new-password"
          {...input('password')}
        />
        <TextInput
          label="Workspace"
          description="Usually the name of your company."
          {...input('workspace_name')}
        />
        <Button type="submit" mt="xs" loading={setUp.isPending}>
          Create owner and workspace
        </Button>
      </Stack>
    </form>
  );
}

function AlreadyDone() {
  return (
    <EntryCard title="Already set up" text="This link has been used. It works only once.">
      <Button component="a" href="/sign-in" fullWidth>
        Sign in
      </Button>
    </EntryCard>
  );
}
