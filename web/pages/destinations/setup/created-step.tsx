import { Box, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { ButtonLink, TextLink } from '../../../parts/links.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { ShownSecret } from '../shown-secret.tsx';
import { TestPanel } from '../test-panel.tsx';

/** The end of the setup: the secret, shown once, and then a test. */
export function CreatedStep({ created }: { created: Destination & { secret: string } }) {
  const workspaceId = useWorkspaceId();
  const [isSecretShown, setSecretShown] = useState(true);
  return (
    <>
      <PageHeader
        title={`${created.name} is ready`}
        text="Leads that are accepted from now on are sent there. Send a test before you rely on it."
        above={
          <TextLink to="/w/$workspaceId/destinations" params={{ workspaceId }} size="sm" c="dimmed">
            Destinations
          </TextLink>
        }
      />
      <Stack gap="lg" maw={760}>
        <Box className="panel" p="lg">
          <Title order={2} size="h5" mb="xs">
            Test
          </Title>
          <TestPanel destination={created} />
        </Box>
        <Group gap="xs">
          <ButtonLink
            variant="default"
            to="/w/$workspaceId/destinations/$destinationId"
            params={{ workspaceId, destinationId: created.id }}
          >
            View destination
          </ButtonLink>
        </Group>
      </Stack>
      <ShownSecret
        opened={isSecretShown}
        secret={created.secret}
        name={created.name}
        onClose={() => setSecretShown(false)}
      />
    </>
  );
}
