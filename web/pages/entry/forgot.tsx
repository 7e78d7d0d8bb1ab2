import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { resetMailQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard } from './entry-card.tsx';

export function Forgot() {
  const mail = useQuery(resetMailQuery);
  return (
    <EntryCard title="Forgot password?" text="A link lets you choose a new one.">
      <Loaded query={mail} rows={2}>
        {({ mailed }) => (mailed ? <AskForm /> : <WhomToAsk />)}
      </Loaded>
      <Text size="sm" ta="center" mt="lg">
        <Anchor href="/sign-in" size="sm">
          Back to sign in
        </Anchor>
      </Text>
    </EntryCard>
  );
}

function WhomToAsk() {
  return (
    <Text size="sm">
      This service sends no mail. Ask an owner of your workspace, who makes a link for you under Workspace,
      People. When you belong to more than one workspace, ask the operator of the service.
    </Text>
  );
}

/** What is said afterwards is the same for every address. */
function AskForm() {
  const [email, setEmail] = useState('');
  const ask = useMutation({
    mutationFn: () => api('POST', '/password-resets', { body: { email } }),
    meta: { isSignIn: true },
  });
  if (ask.isSuccess)
    return (
      <Alert color="teal" icon={<Icon name="check" />} title="Look at your mail" role="status">
        If <b className="wrap">{email}</b> has an account, a link is on its way. It works once, for an hour.
      </Alert>
    );
  const problem = remainingProblem(ask.error, ['email']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!ask.isPending) ask.mutate();
      }}
    >
      <Stack gap="sm">
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          autoFocus
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={faultOf(ask.error, 'email')}
        />
        <Button type="submit" loading={ask.isPending}>
          Mail me a link
        </Button>
      </Stack>
    </form>
  );
}
