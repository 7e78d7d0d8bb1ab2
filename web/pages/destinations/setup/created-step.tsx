import { Alert, Box, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { Destination } from '../../../../src/contract/destinations/destinations.ts';
import { Icon } from '../../../parts/icons.tsx';
import { ButtonLink, TextLink } from '../../../parts/links.tsx';
import { PageHeader } from '../../../parts/page-header.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import type { OfKind } from '../kinds/kind-words.ts';
import { ShownSecret } from '../kinds/webhook/shown-secret.tsx';
import { TestPanel } from '../test-panel.tsx';

type Created = Destination & { readonly secret: string | null };

/** The end of the setup: a secret, shown once, or who must confirm first, and then a test. */
export function CreatedStep({ created }: { created: Created }) {
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
        {created.kind === 'email' && <AskedRecipients recipients={created.recipients} />}
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
      {created.secret !== null && (
        <ShownSecret
          opened={isSecretShown}
          secret={created.secret}
          name={created.name}
          onClose={() => setSecretShown(false)}
        />
      )}
    </>
  );
}

/** Those who get nothing until they have opened their link. */
function AskedRecipients({ recipients }: Pick<OfKind<'email'>, 'recipients'>) {
  const waiting = recipients.filter(({ status }) => status === 'waiting').map(({ address }) => address);
  if (waiting.length === 0) return null;
  return (
    <Alert color="yellow" icon={<Icon name="clock" />} title="Waiting for confirmation" className="wrap">
      A link was sent to {new Intl.ListFormat('en-GB').format(waiting)}. They get emails once they have opened
      it and confirmed. It works for seven days, and you can send it again.
    </Alert>
  );
}
