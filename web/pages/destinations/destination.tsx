import { Button, Group, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { destinationQuery } from '../../api/destination-queries.ts';
import { formsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded, Loading } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastProblem } from '../../parts/toast.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { type Action, ActionDialogs } from './action-dialogs.tsx';
import { DayTiles } from './day-tiles.tsx';
import { kindNames } from './kinds/kind-words.ts';
import { SecretCard } from './kinds/webhook/secret-card.tsx';
import { SettingsForm } from './settings-form.tsx';
import { StatusBanner, StatusTag } from './status.tsx';
import { useSending } from './use-sending.ts';

export function DestinationPage() {
  const workspaceId = useWorkspaceId();
  const id = useParams({ from: '/signed-in/w/$workspaceId/destinations/$destinationId' }).destinationId;
  const query = useQuery(destinationQuery(workspaceId, id));
  const forms = useQuery(formsQuery(workspaceId));
  // The forms are in the settings, whose inputs would change a moment later.
  const isReady = forms.data !== undefined || forms.isError || forms.isPaused;
  return (
    <Loaded query={query} rows={6}>
      {(destination) => (isReady ? <Page key={id} destination={destination} /> : <Loading rows={6} />)}
    </Loaded>
  );
}

function Page({ destination }: { destination: Destination }) {
  const workspaceId = useWorkspaceId();
  const [action, setAction] = useState<Action | null>(null);
  const forms = useQuery(formsQuery(workspaceId)).data?.items ?? [];
  return (
    <>
      <PageHeader
        title={destination.name}
        text={
          <Group gap="xs" mt={4}>
            <StatusTag destination={destination} />
            <span>
              {kindNames[destination.kind]}, changed by {destination.updated_by}{' '}
              <TimeAgo time={destination.updated_at} />
            </span>
          </Group>
        }
        above={
          <TextLink to="/w/$workspaceId/destinations" params={{ workspaceId }} size="sm" c="dimmed">
            Destinations
          </TextLink>
        }
      >
        <Button
          variant="default"
          leftSection={<Icon name="send" size={15} />}
          onClick={() => setAction('test')}
        >
          Send test
        </Button>
        <SendingButton destination={destination} />
        <Button variant="subtle" color="red" onClick={() => setAction('delete')}>
          Delete
        </Button>
      </PageHeader>
      <Stack gap="lg">
        <StatusBanner destination={destination} />
        <DayTiles destination={destination} />
        <SettingsForm
          destination={destination}
          forms={forms}
          beside={destination.kind === 'webhook' && <SecretCard destination={destination} />}
        />
      </Stack>
      <ActionDialogs action={action} destination={destination} onClose={() => setAction(null)} />
    </>
  );
}

function SendingButton({ destination }: { destination: Destination }) {
  const sending = useMutation({ ...useSending(destination), onError: toastProblem });
  const isActive = destination.status === 'active';
  return (
    <Button
      variant={isActive ? 'default' : 'filled'}
      leftSection={<Icon name={isActive ? 'pause' : 'play'} size={15} />}
      loading={sending.isPending}
      onClick={() => sending.mutate(!isActive)}
    >
      {isActive ? 'Pause' : 'Resume'}
    </Button>
  );
}
