import { Drawer, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { alarmQuery } from '../../../api/alarm-queries.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useOpenAlarm } from '../alarm-address.ts';
import { AlarmDetail } from './alarm-detail.tsx';

export function AlarmDrawer() {
  const id = useParams({ from: '/signed-in/w/$workspaceId/alarms/$alarmId' }).alarmId;
  const query = useQuery(alarmQuery(useWorkspaceId(), id));
  const { close } = useOpenAlarm();
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={620}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={<Text fw={620}>Alarm</Text>}
    >
      <Loaded query={query}>{(alarm) => <AlarmDetail key={alarm.id} alarm={alarm} />}</Loaded>
    </Drawer>
  );
}
