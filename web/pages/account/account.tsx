import { Box, Button, Group, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callAuth } from '../../api/client.ts';
import { sessionsQuery } from '../../api/queries.ts';
import { SubmitForm, useApiForm } from '../../parts/api-form.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone, toastProblem } from '../../parts/toast.ts';
import { useMe } from '../../shell/workspace.ts';

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
        withAsterisk={false}
        {...form.getInputProps('currentPassword')}
      />
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        required
        withAsterisk={false}
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

function Sessions() {
  const queryClient = useQueryClient();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (token: string) => callAuth('/revoke-session', { token }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
    onError: toastProblem,
  });
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="sm">
        Sessions
      </Title>
      <Loaded query={sessions} rows={2}>
        {(list) =>
          list.map((session) => (
            <Group key={session.id} justify="space-between" wrap="nowrap" py={8} className="field">
              <Box miw={0}>
                <Group gap="xs">
                  <Text size="sm" className="cut">
                    {browserOf(session.userAgent ?? '')}
                  </Text>
                  {session.userAgent === navigator.userAgent && <Tag tone="quiet">Same browser</Tag>}
                </Group>
                <Text size="xs" c="dimmed" component="div">
                  {session.ipAddress ? `${session.ipAddress} · ` : ''}signed in{' '}
                  <TimeAgo time={session.createdAt} size="xs" />
                </Text>
              </Box>
              <Button
                size="compact-sm"
                variant="subtle"
                color="red"
                onClick={() => end.mutate(session.token)}
              >
                Sign out
              </Button>
            </Group>
          ))
        }
      </Loaded>
    </Box>
  );
}

/** The browser and system, enough to recognise a session. */
function browserOf(userAgent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? 'Unknown browser';
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(userAgent)?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
