import { Box, Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { alarmListQuery } from '../../api/alarm-queries.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Failure, Loading, NotLoadedYet } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { useAlarmSearch } from './alarm-address.ts';
import { AlarmFilterBar } from './alarm-filters.tsx';
import { AlarmRow } from './alarm-row.tsx';
import { WatchedForms } from './watching/watched-forms.tsx';

export function AlarmsPage() {
  const workspaceId = useWorkspaceId();
  return (
    <>
      <PageHeader title="Alarms" text="What is wrong with your leads, and who was told.">
        <ButtonLink to="/w/$workspaceId/alarms/settings" params={{ workspaceId }} variant="default">
          Alarm settings
        </ButtonLink>
      </PageHeader>
      <AlarmFilterBar />
      <AlarmList />
      <Outlet />
    </>
  );
}

function AlarmList() {
  const workspaceId = useWorkspaceId();
  const { filters } = useAlarmSearch();
  const query = useInfiniteQuery(alarmListQuery(workspaceId, filters));
  const alarms = query.data?.pages.flatMap(({ items }) => items) ?? [];
  if (query.data === undefined && query.isPaused) return <NotLoadedYet />;
  if (query.error && alarms.length === 0)
    return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined || (alarms.length === 0 && query.isPlaceholderData))
    return <Loading rows={4} height={88} />;
  if (alarms.length === 0) return <NoAlarms />;
  return (
    <Stack gap={0} opacity={query.isPlaceholderData ? 0.6 : 1}>
      <Box component="ul" m={0} p={0} className="panel statements" aria-label="Alarms">
        {alarms.map((alarm) => (
          <AlarmRow key={alarm.id} alarm={alarm} />
        ))}
      </Box>
      <MoreButton label="Show older alarms" query={query} />
      <Text size="xs" c="dimmed" mt="xs" role="status">
        {alarms.length} {query.hasNextPage ? 'loaded' : 'in this list'}
      </Text>
    </Stack>
  );
}

function NoAlarms() {
  const { state, isFiltered, clear, change } = useAlarmSearch();
  if (isFiltered)
    return (
      <Empty
        icon="search"
        title="No alarms match these filters"
        text={state === 'open' ? 'There may be some that are over.' : 'There may be others without them.'}
      >
        <Button variant="default" onClick={clear}>
          Clear filters
        </Button>
      </Empty>
    );
  if (state !== 'open')
    return (
      <Empty
        icon="bell"
        title={state === 'closed' ? 'No closed alarms' : 'No alarms'}
        text="Alarms that are over stay here for 400 days."
      >
        <Button variant="default" onClick={() => change({ state: undefined })}>
          Show open alarms
        </Button>
      </Empty>
    );
  return (
    <Empty
      icon="check"
      title="No open alarms"
      text="Leadgate checks once a minute. When a sender that worked is rejected, you are told within minutes. How soon it notices that no leads come depends on how often they usually do:"
    >
      <WatchedForms />
    </Empty>
  );
}
