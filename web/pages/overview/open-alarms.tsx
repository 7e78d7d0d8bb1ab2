import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { openAlarmsQuery } from '../../api/alarm-queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { countText } from '../../parts/numbers.ts';
import { worstOf } from '../../parts/severity-tag.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** The worst of the open alarms that nobody has acknowledged. */
export function OpenAlarms() {
  const workspaceId = useWorkspaceId();
  const open = useQuery(openAlarmsQuery(workspaceId)).data?.items ?? [];
  const fresh = open.filter(({ acknowledged_at }) => acknowledged_at === null);
  const worst = worstOf(fresh);
  const first = fresh.find(({ severity }) => severity === worst);
  if (first === undefined) return null;
  return (
    <Alert color={worst === 'high' ? 'red' : 'yellow'} icon={<Icon name="bell" />} p="sm">
      <Group justify="space-between" gap="xs">
        <Text size="sm" className="wrap" flex="1 1 260px">
          <TextLink
            to="/w/$workspaceId/alarms/$alarmId"
            params={{ workspaceId, alarmId: first.id }}
            c="var(--mantine-color-text)"
            fw={580}
            size="sm"
          >
            {first.title}
          </TextLink>
          {fresh.length > 1 && ` and ${countText(fresh.length - 1, 'other open alarm')}`}
        </Text>
        <ButtonLink to="/w/$workspaceId/alarms" params={{ workspaceId }} size="compact-sm" variant="default">
          See alarms
        </ButtonLink>
      </Group>
    </Alert>
  );
}
