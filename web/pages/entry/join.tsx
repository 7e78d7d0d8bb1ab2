import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { z } from 'zod';
import type { invitationPreview } from '../../../src/contract/workspaces/member.ts';
import { api, isMissing } from '../../api/client.ts';
import { invitationQuery, meQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard, tokenInAddress } from './entry-card.tsx';

export function Join() {
  const invitation = useQuery(invitationQuery(tokenInAddress()));
  const name = invitation.data?.workspace_name;
  if (isMissing(invitation.error))
    return (
      <EntryCard
        title="This invitation is no longer valid"
        text="It has been used or withdrawn, or it has expired. Ask an owner to invite you again."
      >
        <ButtonLink to="/sign-in" fullWidth>
          Sign in
        </ButtonLink>
      </EntryCard>
    );
  return (
    <EntryCard
      title={name === undefined ? 'Invitation' : `Join ${name}`}
      text="You have been invited to this workspace."
    >
      <Loaded query={invitation} rows={2}>
        {(preview) => <JoinForm preview={preview} />}
      </Loaded>
    </EntryCard>
  );
}

/** People who are signed in join with one click; new people create an account on the way. */
function JoinForm({ preview }: { preview: z.output<typeof invitationPreview> }) {
  const person = useQuery({ ...meQuery, retry: false }).data?.user;
  const form = useApiForm({
    initialValues: { name: '', password: '' },
    send: (values) =>
      api('POST', '/invitations/accept', { body: { token: tokenInAddress(), ...(person ? {} : values) } }),
    onSuccess: () => window.location.replace('/'),
    meta: { isSignIn: true },
  });
  if (!person && !preview.needs_account) return <SignInFirst email={preview.email} />;
  return (
    <SubmitForm form={form}>
      <Text size="sm" ta="center" className="wrap">
        You are joining as <b>{person?.email ?? preview.email}</b> with the role {preview.role}.
      </Text>
      {person && person.email !== preview.email && (
        <Alert color="yellow" role="status" className="wrap">
          This invitation is for {preview.email}. You are joining with the account you are signed in to.
        </Alert>
      )}
      {!person && (
        <>
          <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('name')} />
          <PasswordInput
            label="Choose a password"
            description="A sentence is easy to remember and hard to guess."
            autoComplete="new-password"
            required
            {...form.getInputProps('password')}
          />
        </>
      )}
      <Button type="submit" loading={form.mutation.isPending} mt="xs">
        Join
      </Button>
    </SubmitForm>
  );
}

function SignInFirst({ email }: { email: string }) {
  return (
    <Stack gap="sm">
      <Text size="sm" className="wrap">
        <b>{email}</b> already has an account. Sign in to accept the invitation.
      </Text>
      <TextLink to="/sign-in" search={{ to: '/join' }} hash={window.location.hash.slice(1)}>
        Sign in
      </TextLink>
    </Stack>
  );
}
