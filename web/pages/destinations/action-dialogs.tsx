import { Modal, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Destination } from '../../../src/contract/destinations/destinations.ts';
import { api } from '../../api/client.ts';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { countText } from '../../parts/numbers.ts';
import { toastDone } from '../../parts/toast.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';
import type { Kind } from './kinds/kind-words.ts';
import { TestPanel } from './test-panel.tsx';

export type Action = 'test' | 'delete';

interface ActionDialogsProps {
  readonly action: Action | null;
  /** Null while no dialog is open. */
  readonly destination: Destination | null;
  onClose(): void;
}

/** Outside the table, which is fetched again all the time. */
export function ActionDialogs({ action, destination, onClose }: ActionDialogsProps) {
  return (
    <>
      <Modal
        opened={action === 'test'}
        onClose={onClose}
        size="lg"
        title={<Text fw={620}>Test {destination?.name}</Text>}
      >
        {destination !== null && <TestPanel key={destination.id} destination={destination} />}
      </Modal>
      <DeleteDialog destination={action === 'delete' ? destination : null} onClose={onClose} />
    </>
  );
}

function DeleteDialog({ destination, onClose }: Pick<ActionDialogsProps, 'destination' | 'onClose'>) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/destinations/:destination_id', {
        params: { workspace_id: workspaceId, destination_id: destination?.id ?? '' },
      }),
    async onSuccess() {
      onClose();
      toastDone('Destination deleted.');
      await navigate({ to: '/w/$workspaceId/destinations', params: { workspaceId } });
      await queryClient.invalidateQueries({ queryKey: destinationsQuery(workspaceId).queryKey });
    },
  });
  const waiting = destination?.last_day.waiting ?? 0;
  return (
    <Confirm
      opened={destination !== null}
      title={`Delete ${destination?.name}?`}
      action="Delete destination"
      {...(destination !== null && isInUse(destination) ? { typed: destination.name } : {})}
      mutation={remove}
      onClose={() => {
        onClose();
        remove.reset();
      }}
    >
      New leads are no longer sent there
      {waiting > 0 ? `, and ${countText(waiting, 'waiting delivery')} cancelled` : ''}.{' '}
      {destination !== null && erasedTexts[destination.kind]} Leads and past deliveries are kept. This cannot
      be undone.
    </Confirm>
  );
}

const erasedTexts: Readonly<Record<Kind, string>> = {
  webhook: 'Its secret and its headers are erased.',
  email: 'Its recipients are erased.',
  chat: 'Its URL is erased. Messages stay in the channel.',
  hubspot: 'Its access token is erased. Contacts stay in HubSpot.',
};

const isInUse = ({ last_day }: Destination) => last_day.delivered + last_day.waiting > 0;
