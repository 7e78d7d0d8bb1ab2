import { Box, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { workspaceQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** On every page of a suspended workspace: who suspended it, what stops, what does not, and who can change it. */
export function SuspendedBanner() {
  const suspension = useQuery(workspaceQuery(useWorkspaceId())).data?.suspension;
  return (
    <Box bg="red.9" c="white" px={{ base: 'md', sm: 'xl' }} py="sm" role="alert">
      <Group gap="sm" wrap="nowrap" align="flex-start">
        <Box mt={2}>
          <Icon name="ban" size={18} />
        </Box>
        <Text size="sm" c="white" component="div" className="wrap">
          <b>This workspace is suspended.</b>
          {suspension && (
            <>
              {' '}
              Suspended <TimeAgo time={suspension.since} size="inherit" />
              {suspension.by && ` by ${suspension.by === 'operator' ? 'the operator' : suspension.by}`}.
              {suspension.reason && ` Reason: ${suspension.reason}`}
            </>
          )}
          <div>
            <b>Stopped:</b> every submission is rejected with the reason <i>workspace_suspended</i>,
            deliveries to destinations wait, and held submissions cannot be admitted.
          </div>
          <div>
            <b>Still working:</b> you can read, mark and export leads and change settings. Tokens are kept.
            Only an operator can resume the workspace.
          </div>
        </Text>
      </Group>
    </Box>
  );
}
