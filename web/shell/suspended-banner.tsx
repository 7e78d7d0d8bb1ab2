import { Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { workspaceQuery } from '../api/queries.ts';
import { Icon } from '../parts/icons.tsx';
import { useWorkspace } from './workspace.ts';

/** On every page of a suspended workspace: what stops, what does not, and who can change it. */
export function SuspendedBanner() {
  const workspace = useWorkspace();
  const isSuspended = workspace?.status === 'suspended';
  const details = useQuery({ ...workspaceQuery(workspace?.id ?? ''), enabled: isSuspended });
  if (!isSuspended) return null;
  const reason = details.data?.suspension?.reason;
  return (
    <Box bg="red.9" c="white" px={{ base: 'md', sm: 'xl' }} py="sm" role="alert">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Box mt={2}>
          <Icon name="ban" size={18} />
        </Box>
        <Text size="sm" c="white">
          <b>This workspace is suspended.</b> Every submission is rejected with the reason{' '}
          <i>workspace_suspended</i>, and deliveries to destinations wait. Leads, tokens, forms and settings
          are kept, and you can still read and export leads.
          {reason ? ` Reason: ${reason}` : ''} Only an operator can resume it.
        </Text>
      </Group>
    </Box>
  );
}
