import { Box, Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { operatorAuditQuery } from '../../api/audit-queries.ts';
import { api } from '../../api/client.ts';
import { resetMailQuery } from '../../api/queries.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { HandedLink } from '../../parts/dialogs/handed-link.tsx';
import { exactTime } from '../../parts/time.tsx';

/** For people no owner may help: members of several workspaces, and sole owners. */
export function PasswordLinkCard() {
  const queryClient = useQueryClient();
  const form = useApiForm({
    initialValues: { email: '' },
    send: (body) => api('POST', '/operator/password-links', { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: operatorAuditQuery.queryKey }),
  });
  const mailed = useQuery(resetMailQuery).data?.mailed;
  const { email } = form.values;
  const made = form.mutation.data;
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5">
        Password reset link
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        For people who cannot sign in and whom no owner can help. Check who is asking: anyone with the link
        can take over the account. The owners of their workspaces see that you created it.
      </Text>
      {made ? (
        <HandedLink made={made} email={email} again={form.mutation} onDone={form.reset}>
          Send this link to {email}. It works once and expires at {exactTime(made.expires_at)}.
        </HandedLink>
      ) : (
        <form onSubmit={form.submit}>
          <Group align="flex-start" gap="xs">
            <TextInput
              aria-label="Email of the person"
              placeholder="Email"
              type="email"
              required
              w={{ base: '100%', xs: 340 }}
              {...form.getInputProps('email')}
              error={form.errors.email ?? form.problem}
            />
            <Button type="submit" variant="default" loading={form.mutation.isPending}>
              {mailed ? 'Send link' : 'Create link'}
            </Button>
          </Group>
        </form>
      )}
    </Box>
  );
}
