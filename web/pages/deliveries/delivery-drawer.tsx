import { Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { deliveryQuery } from '../../api/destination-queries.ts';
import { Loaded } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useOpenDelivery } from './delivery-address.ts';
import { DeliveryDetail } from './delivery-detail.tsx';

export function DeliveryDrawer() {
  const id = useParams({ from: '/signed-in/w/$workspaceId/deliveries/$deliveryId' }).deliveryId;
  const query = useQuery(deliveryQuery(useWorkspaceId(), id));
  const { open, close } = useOpenDelivery();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={620}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={<Text fw={620}>Delivery</Text>}
    >
      <Loaded query={query}>
        {(delivery) => <DeliveryDetail key={delivery.id} delivery={delivery} onReplayed={open} />}
      </Loaded>
    </Drawer>
  );
}
