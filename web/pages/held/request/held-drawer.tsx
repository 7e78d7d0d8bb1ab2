import { Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { heldQuery } from '../../../api/held-queries.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useOpenHeld } from '../held-address.ts';
import { HeldDetail } from './held-detail.tsx';

export function HeldDrawer() {
  const id = useParams({ from: '/signed-in/w/$workspaceId/tokens/diagnostics/held/$heldId' }).heldId;
  const query = useQuery(heldQuery(useWorkspaceId(), id));
  const { close } = useOpenHeld();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={620}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={<Text fw={620}>Held request</Text>}
    >
      <Loaded query={query}>{(held) => <HeldDetail key={held.id} held={held} />}</Loaded>
    </Drawer>
  );
}
