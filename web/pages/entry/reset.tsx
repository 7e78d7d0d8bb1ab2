import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, isMissing } from '../../api/client.ts';
import { resetQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard, tokenInAddress } from './entry-card.tsx';

export function Reset() {
  const reset = useQuery(resetQuery(tokenInAddress()));
  const isGone = isMissing(reset.error);
  if (isGone)
    return (
      <EntryCard title="This link is no longer valid" text="It has been used, or it has expired.">
        <ButtonLink to="/forgot" fullWidth>
          Get a new link
        </ButtonLink>
      </EntryCard>
    );
  return (
    <EntryCard title="Choose a new password" text="Setting it signs you out everywhere.">
      <Loaded query={reset} rows={2}>
        {({ email }) => <ResetForm email={email} />}
      </Loaded>
    </EntryCard>
  );
}

function ResetForm({ email }: { email: string }) {
  const form = useApiForm({
    initialValues: { password: '' },
    send: ({ password }) =>
      api('POST', '/password-resets/complete', { body: { token: tokenInAddress(), password } }),
    meta: { isSignIn: true },
  });
  if (form.mutation.isSuccess)
    return (
      <Stack gap="sm">
        <Text size="sm" ta="center" role="status">
          Your new password is set.
        </Text>
        <ButtonLink to="/sign-in">Sign in</ButtonLink>
      </Stack>
    );
  return (
    <SubmitForm form={form}>
      {/* Lets a password manager know whose password this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label={`New password for ${email}`}
        description="A sentence is easy to remember and hard to guess."
        autoComplete="new-password"
        autoFocus
        required
        {...form.getInputProps('password')}
      />
      <Button type="submit" loading={form.mutation.isPending}>
        Set password
      </Button>
    </SubmitForm>
  );
}
