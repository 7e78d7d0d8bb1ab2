import { Box, Button, Group, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { operatorAuditQuery, resetMailQuery } from '../../api/queries.ts';
import { HandedLink } from '../../parts/dialogs/handed-link.tsx';
import { faultOf, remainingProblem } from '../../parts/problem.ts';
import { exactTime } from '../../parts/time.tsx';

/** For people whom no owner may help: those of several workspaces, and owners who stand alone. */
export function PasswordLinkCard() {
  const queryClient = useQueryClient();
  const [email, setEmail] = useState('');
  const make = useMutation({
    mutationFn: () => api('POST', '/operator/password-links', { body: { email } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: operatorAuditQuery.queryKey }),
  });
  const mailed = useQuery(resetMailQuery).data?.mailed;
  const done = () => {
    make.reset();
    setEmail('');
  };
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5">
        Link to a new password
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        For somebody who cannot sign in and whom no owner can help. Make sure who asks: whoever has the link
        gets the account. Its workspaces see that you made it.
      </Text>
      {make.data ? (
        <HandedLink made={make.data} email={email} again={make} onDone={done}>
          Pass this link on to {email}. It works once, until {exactTime(make.data.expires_at)}.
        </HandedLink>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!make.isPending) make.mutate();
          }}
        >
          <Group align="flex-start" gap="xs">
            <TextInput
              aria-label="Email of the person"
              placeholder="Email"
              type="email"
              required
              w={{ base: '100%', xs: 340 }}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
              error={faultOf(make.error, 'email') ?? remainingProblem(make.error, ['email'])}
            />
            <Button type="submit" variant="default" loading={make.isPending}>
              {mailed ? 'Send the link' : 'Make the link'}
            </Button>
          </Group>
        </form>
      )}
    </Box>
  );
}
