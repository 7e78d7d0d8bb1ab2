import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { resetMailQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard } from './entry-card.tsx';

export function Forgot() {
  const mail = useQuery(resetMailQuery);
  return (
    <EntryCard title="Forgot password?" text="Get a link to choose a new one.">
      <Loaded query={mail} rows={2}>
        {({ mailed }) => (mailed ? <AskForm /> : <WhomToAsk />)}
      </Loaded>
      <Text size="sm" ta="center" mt="lg">
        <TextLink to="/sign-in" size="sm">
          Back to sign in
        </TextLink>
      </Text>
    </EntryCard>
  );
}

function WhomToAsk() {
  return (
    <Text size="sm">
      This service does not send email. Ask an owner of your workspace to create a link for you under
      Workspace, People. If you belong to more than one workspace, ask the operator of the service.
    </Text>
  );
}

/** The result looks the same for every email. */
function AskForm() {
  const form = useApiForm({
    initialValues: { email: '' },
    send: (body) => api('POST', '/password-resets', { body }),
    meta: { isSignIn: true },
  });
  if (form.mutation.isSuccess)
    return (
      <Alert color="teal" icon={<Icon name="check" />} title="Check your email" role="status">
        If <b className="wrap">{form.values.email}</b> has an account, a link is on its way. It works once and
        expires after an hour.
      </Alert>
    );
  return (
    <SubmitForm form={form}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        required
        {...form.getInputProps('email')}
      />
      <Button type="submit" loading={form.mutation.isPending}>
        Email me a link
      </Button>
    </SubmitForm>
  );
}
