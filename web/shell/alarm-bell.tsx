import { ActionIcon, Group, Menu, Stack, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AlarmView } from '../../src/contract/alarms/alarm.ts';
import { openAlarmsQuery } from '../api/alarm-queries.ts';
import { Icon } from '../parts/icons.tsx';
import { MenuLink } from '../parts/links.tsx';
import { countText } from '../parts/numbers.ts';
import { SeverityTag, severityTones, worstOf } from '../parts/severity-tag.tsx';
import { TimeAgo } from '../parts/time.tsx';
import { useNavigatedWorkspace, type WorkspaceOfMine } from './workspace.ts';

const shownMax = 5;
const countedMax = 99;

/** For owners: how many alarms nobody has acknowledged yet, and the newest of them. */
export function AlarmBell() {
  const workspace = useNavigatedWorkspace();
  return workspace?.role === 'owner' ? <Bell key={workspace.id} workspace={workspace} /> : null;
}

function Bell({ workspace }: { workspace: WorkspaceOfMine }) {
  const [isOpen, setOpen] = useState(false);
  const open = useQuery(openAlarmsQuery(workspace.id)).data?.items;
  const fresh = (open ?? []).filter(({ acknowledged_at }) => acknowledged_at === null);
  const worst = worstOf(fresh);
  const name = nameOf(open, fresh);
  return (
    <Menu
      width="min(380px, calc(100vw - 24px))"
      position="bottom-end"
      shadow="md"
      opened={isOpen}
      onChange={setOpen}
    >
      <Menu.Target>
        <Tooltip label={name} disabled={isOpen}>
          <ActionIcon variant="subtle" color="gray" size={34} aria-label={name} className="bell">
            <Icon name="bell" size={17} />
            {worst !== null && (
              <span className="bell-count numbers" data-tone={severityTones[worst]} aria-hidden="true">
                {fresh.length > countedMax ? `${countedMax}+` : fresh.length}
              </span>
            )}
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="cut">
          {name} in {workspace.name}
        </Menu.Label>
        {fresh.slice(0, shownMax).map((alarm) => (
          <BellItem key={alarm.id} alarm={alarm} workspaceId={workspace.id} />
        ))}
        {fresh.length > 0 && <Menu.Divider />}
        <MenuLink to="/w/$workspaceId/alarms" params={{ workspaceId: workspace.id }}>
          {fresh.length > shownMax ? `See all ${fresh.length}` : 'All alarms'}
        </MenuLink>
        <MenuLink to="/w/$workspaceId/alarms/settings" params={{ workspaceId: workspace.id }}>
          Alarm settings
        </MenuLink>
      </Menu.Dropdown>
    </Menu>
  );
}

function BellItem({ alarm, workspaceId }: { alarm: AlarmView; workspaceId: string }) {
  return (
    <MenuLink to="/w/$workspaceId/alarms/$alarmId" params={{ workspaceId, alarmId: alarm.id }}>
      <Stack gap={4}>
        <Text size="sm" className="wrap" lineClamp={2}>
          {alarm.title}
        </Text>
        <Group gap="xs" c="dimmed">
          <SeverityTag severity={alarm.severity} />
          <TimeAgo time={alarm.opened_at} size="xs" />
        </Group>
      </Stack>
    </MenuLink>
  );
}

function nameOf(open: readonly AlarmView[] | undefined, fresh: readonly AlarmView[]): string {
  if (open === undefined) return 'Alarms';
  if (fresh.length > 0) return countText(fresh.length, 'open alarm');
  return open.length > 0 ? countText(open.length, 'acknowledged alarm') : 'No open alarms';
}
