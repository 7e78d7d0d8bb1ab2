import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { InstanceAlarmView } from '../../../../src/contract/alarms/alarm.ts';
import { api } from '../../../api/client.ts';
import { instanceAlarmsQuery } from '../../../api/operator-queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { MoreButton } from '../../../parts/lists/more-button.tsx';
import { SeverityTag } from '../../../parts/severity-tag.tsx';
import { Failure, Loading, NotLoadedYet } from '../../../parts/states.tsx';
import { exactTime, TimeAgo } from '../../../parts/time.tsx';
import { toastProblem } from '../../../parts/toast.ts';

/** What the service has found wrong with itself. Operators also get it by email. */
export function InstanceAlarms() {
  const [showsPast, past] = useDisclosure();
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb={4}>
        Alarms
      </Title>
      <AlarmsIn state="open" />
      {showsPast && (
        <>
          <Title order={3} size="h6" mt="md">
            Earlier
          </Title>
          <AlarmsIn state="closed" />
        </>
      )}
      <Button
        size="compact-sm"
        variant="subtle"
        mt="xs"
        ml={-8}
        aria-expanded={showsPast}
        onClick={past.toggle}
      >
        {showsPast ? 'Hide earlier alarms' : 'Show earlier alarms'}
      </Button>
    </Box>
  );
}

function AlarmsIn({ state }: { state: 'open' | 'closed' }) {
  const query = useInfiniteQuery(instanceAlarmsQuery(state));
  const alarms = query.data?.pages.flatMap(({ items }) => items);
  if (alarms === undefined) {
    if (query.isPaused) return <NotLoadedYet />;
    if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
    return <Loading rows={1} />;
  }
  if (alarms.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {state === 'open' ? 'None are open.' : 'None in the last 400 days.'}
      </Text>
    );
  return (
    <>
      <Box component="ul" m={0} p={0} className="statements">
        {alarms.map((alarm) => (
          <AlarmOfInstance key={alarm.id} alarm={alarm} />
        ))}
      </Box>
      <MoreButton label="Show older alarms" query={query} />
    </>
  );
}

function AlarmOfInstance({ alarm }: { alarm: InstanceAlarmView }) {
  const { severity, title, facts, opened_at, closed_at, acknowledged_at, acknowledged_by } = alarm;
  return (
    <Group component="li" className="field" py={8} gap="sm" align="flex-start" justify="space-between">
      <Box miw={0} flex="1 1 260px">
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <SeverityTag severity={severity} isOver={closed_at !== null} />
          <Text size="sm" fw={closed_at === null ? 600 : undefined} className="wrap">
            {title}
          </Text>
        </Group>
        <Text size="sm" c="dimmed" component="div" className="wrap numbers" mt={2}>
          {closed_at === null ? (
            <>
              Since <TimeAgo time={opened_at} />
            </>
          ) : (
            `${exactTime(opened_at)} to ${exactTime(closed_at)}`
          )}
          {facts.map(({ label, value }) => ` · ${label}: ${value}`).join('')}
          {acknowledged_by !== null && ` · Acknowledged by ${acknowledged_by}`}
        </Text>
      </Box>
      {closed_at === null && acknowledged_at === null && <Acknowledge id={alarm.id} />}
    </Group>
  );
}

function Acknowledge({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: () => api('POST', '/operator/alarms/:alarm_id/acknowledgement', { params: { alarm_id: id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['operator', 'alarms'] }),
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
