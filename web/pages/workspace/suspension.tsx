import { Box, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { toastDone, toastProblem } from '../../parts/toast.ts';

interface SuspensionProps {
  readonly workspace: { readonly id: string; readonly name: string; readonly status: 'active' | 'suspended' };
}

/** For operators: suspends and resumes a workspace. */
export function Suspension({ workspace }: SuspensionProps) {
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb="xs">
        Suspension
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={620}>
        While a workspace is suspended, every submission is rejected, deliveries wait, and held submissions
        cannot be admitted. Tokens are kept, and people can still read, mark and export leads and change
        settings. You can resume it at any time.
      </Text>
      <SuspendButton workspace={workspace} />
    </Box>
  );
}

export function SuspendButton({ workspace }: SuspensionProps) {
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const [reason, setReason] = useState('');
  const isSuspended = workspace.status === 'suspended';
  const change = useMutation({
    mutationFn: () =>
      api('PATCH', '/workspaces/:workspace_id', {
        params: { workspace_id: workspace.id },
        body: isSuspended
          ? { status: 'active' }
          : { status: 'suspended', ...(reason === '' ? {} : { reason }) },
      }),
    onSuccess: () => {
      ask.close();
      toastDone(isSuspended ? 'Workspace resumed.' : 'Workspace suspended.');
      return queryClient.invalidateQueries();
    },
    onError: (error) => isSuspended && toastProblem(error),
  });
  return (
    <>
      <Button
        size="xs"
        {...(isSuspended ? { variant: 'default' } : { variant: 'light', color: 'red' })}
        loading={change.isPending}
        onClick={() => (isSuspended ? change.mutate() : ask.open())}
      >
        {isSuspended ? 'Resume' : 'Suspend'}
      </Button>
      <Confirm
        opened={isAsking}
        title={`Suspend ${workspace.name}?`}
        action="Suspend"
        typed={workspace.name}
        mutation={change}
        onClose={ask.close}
      >
        <Stack gap="sm">
          Every submission to it will be rejected, and its deliveries will wait. Everyone in it sees a red
          banner with your email address and your reason. People can still read, mark and export leads and
          change settings.
          <TextInput
            label="Reason (optional, shown in the banner)"
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Stack>
      </Confirm>
    </>
  );
}
