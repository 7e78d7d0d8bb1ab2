import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { setupQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard, tokenInAddress } from './entry-card.tsx';

export function SetUp() {
  const setup = useQuery(setupQuery);
  if (setup.data?.needed === false) return <AlreadyDone />;
  return (
    <EntryCard
      title="Set up Leadgate"
      text="You will own the first workspace and be the operator of this service: you decide who can create workspaces, and see its health."
    >
      <Loaded query={setup}>{() => <SetUpForm />}</Loaded>
    </EntryCard>
  );
}

function SetUpForm() {
  const form = useApiForm({
    initialValues: { name: '', email: '', password: '', workspace_name: '' },
    send: (values) => api('POST', '/setup', { body: { token: tokenInAddress(), ...values } }),
    onSuccess: () => window.location.replace('/'),
    meta: { isSignIn: true },
  });
  const input = (name: keyof typeof form.values) => ({
    name,
    required: true,
    ...form.getInputProps(name),
  });
  return (
    <SubmitForm form={form}>
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
      <Button type="submit" mt="xs" loading={form.mutation.isPending}>
        Create account and workspace
      </Button>
    </SubmitForm>
  );
}

function AlreadyDone() {
  return (
    <EntryCard title="Already set up" text="This link has been used. It works only once.">
      <ButtonLink to="/sign-in" fullWidth>
        Sign in
      </ButtonLink>
    </EntryCard>
  );
}
