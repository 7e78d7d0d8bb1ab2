import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { callAuth } from '../../api/client.ts';
import { sessionsQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useMe } from '../../shell/workspace.ts';
import { Sessions } from './sessions.tsx';

export function Account() {
  const me = useMe();
  return (
    <>
      <PageHeader title="Your account" text={me?.user.email} />
      <Stack gap="lg" maw={620}>
        <Password />
        <Sessions />
      </Stack>
    </>
  );
}

function Password() {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: { currentPassword: '', newPassword: '' },
    send: (passwords) => callAuth('/change-password', passwords),
    onSuccess: () => {
      form.reset();
      toastDone('Password changed. You are signed out everywhere else.');
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    meta: { isSignIn: true },
  });
  return (
    <SubmitForm form={form} className="panel" p="lg">
      <Title order={2} size="h5">
        Password
      </Title>
      <PasswordInput
        label="Current password"
        autoComplete="current-password"
        required
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        required
        {...form.getInputProps('newPassword')}
      />
      <Text size="xs" c="dimmed">
        Changing your password signs you out everywhere else.
      </Text>
      <Button type="submit" w="fit-content" loading={form.mutation.isPending}>
        Change password
      </Button>
    </SubmitForm>
  );
}
