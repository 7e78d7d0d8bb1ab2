import { Button, Group } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { AlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { acknowledge } from '../../../api/alarm-queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { toastProblem } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { MuteMenu } from './mute-menu.tsx';

export function AlarmActions({ alarm }: { alarm: AlarmView }) {
  const isOpen = alarm.closed_at === null;
  return (
    <Group gap="xs">
      {isOpen && alarm.acknowledged_at === null && <AcknowledgeButton alarm={alarm} />}
      {isOpen && <MuteMenu alarm={alarm} />}
      <CauseLink path={alarm.path} />
    </Group>
  );
}

function AcknowledgeButton({ alarm }: { alarm: AlarmView }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: () => acknowledge(workspaceId, alarm.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['alarms', workspaceId] }),
    onError: toastProblem,
  });
  return (
    <Button
      size="compact-sm"
      variant="light"
      leftSection={<Icon name="check" size={14} />}
      loading={change.isPending}
      onClick={() => change.mutate()}
    >
      Acknowledge
    </Button>
  );
}

/** The first that matches is where the path leads. */
const places: readonly (readonly [RegExp, string])[] = [
  [/\/tokens\/diagnostics\/held/, 'Open held requests'],
  [/\/tokens\/diagnostics/, 'Open diagnostics'],
  [/\/tokens/, 'Open tokens'],
  [/\/forms\/[^/]+\/delivery/, 'Open delivery settings'],
  [/\/forms\//, 'Open form'],
  [/\/leads/, 'Open leads'],
  [/\/deliveries/, 'Open deliveries'],
  [/\/destinations/, 'Open destination'],
];

/** The path comes from the service, so no route is known for it in advance. */
function CauseLink({ path }: { path: string }) {
  const router = useRouter();
  const label = places.find(([pattern]) => pattern.test(path))?.[1];
  if (label === undefined) return null;
  return (
    <Button
      component="a"
      href={path}
      size="compact-sm"
      variant="default"
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ href: path });
      }}
    >
      {label}
    </Button>
  );
}
