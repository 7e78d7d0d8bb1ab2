import { Alert, Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { setupQuery } from '../../api/queries.ts';
import { TextLink } from '../../parts/links.tsx';
import { ownAddress } from '../../parts/own-address.ts';
import { SignInForm } from '../../parts/sign-in-form.tsx';
import { EntryCard } from './entry-card.tsx';

export { Forgot } from './forgot.tsx';
export { OpenHandOverLink } from './hand-over.tsx';
export { Join } from './join.tsx';
export { ConfirmEmails, StopEmails } from './recipient-link.tsx';
export { Reset } from './reset.tsx';
export { SetUp } from './set-up.tsx';

export function SignIn() {
  const { to } = useSearch({ from: '/sign-in' });
  const setup = useQuery(setupQuery);
  return (
    <EntryCard title="Sign in" text="See your leads, forms and diagnostics.">
      {setup.data?.needed && (
        <Alert color="yellow" title="No accounts yet" mb="md">
          Open the setup link that the service printed when it started. It works once and expires after 24
          hours. Restart the service to get a new one.
        </Alert>
      )}
      <SignInForm onDone={() => proceed(to)} />
      <Text size="sm" ta="center" mt="md">
        <TextLink to="/forgot" size="sm">
          Forgot password?
        </TextLink>
      </Text>
      <Text size="xs" c="dimmed" ta="center" mt="lg">
        You need an invitation to get an account. Ask an owner of your workspace, or read the{' '}
        <Anchor href="/api/reference" size="xs">
          API reference
        </Anchor>
        .
      </Text>
    </EntryCard>
  );
}

/** Keeps the fragment of this page, which may hold the token of an invitation. */
function proceed(to: string | undefined): void {
  // Replaced, so that no page with a token stays in the history.
  window.location.replace(ownAddress(to, window.location.origin) + window.location.hash);
}
