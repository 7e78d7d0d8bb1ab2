import { Box, Grid, Group, SegmentedControl, Stack, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { openAlarmsQuery } from '../../api/alarm-queries.ts';
import { destinationsQuery } from '../../api/destination-queries.ts';
import { diagnosticsQuery, formsQuery, newestLeadsQuery, tokensQuery } from '../../api/queries.ts';
import { OutcomeChart } from '../../parts/charts/outcome-chart.tsx';
import { rangeDefault, ranges } from '../../parts/charts/time-range.ts';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty, Loaded, Loading } from '../../parts/states.tsx';
import { lazyPage } from '../../shell/lazy-page.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { Tiles } from '../diagnostics/tiles.tsx';
import { HeldBanners, useBannersReady, workspaceReasons } from '../held/banners/held-banners.tsx';
import { Checklist } from './checklist.tsx';
import { NewestLeads } from './newest-leads.tsx';
import { OpenAlarms } from './open-alarms.tsx';
import { TopReasons } from './top-reasons.tsx';
import { Undelivered } from './undelivered.tsx';

const page = getRouteApi('/signed-in/w/$workspaceId');

/** Few people see it, and they once. Its samples are long. */
const Waiting = lazyPage(() => import('./waiting.tsx'), 'Waiting');

export function Overview() {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const newest = useQuery(newestLeadsQuery(workspaceId));
  const hasLeads = (newest.data?.items.length ?? 0) > 0;
  const isReady = useIsReady(workspaceId, isOwner);
  return (
    <>
      <PageHeader title="Overview">{isReady && isOwner && hasLeads && <RangePicker />}</PageHeader>
      {!isReady && <Loading rows={4} height={120} />}
      {isReady && (
        <Loaded query={newest}>
          {() => (
            <Stack gap="lg">
              {isOwner && <OpenAlarms />}
              {isOwner && <Undelivered />}
              <HeldBanners reasons={workspaceReasons} />
              {isOwner && <Checklist hasLeads={hasLeads} />}
              {isOwner && <FirstLead key={workspaceId} isMissing={!hasLeads} />}
              {!isOwner && !hasLeads && (
                <Empty
                  icon="leads"
                  title="No leads yet"
                  text="The newest leads appear here once an owner has connected a sender."
                />
              )}
              {isOwner && hasLeads && <Traffic />}
              <NewestLeads />
            </Stack>
          )}
        </Loaded>
      )}
    </>
  );
}

/** Stays when the first lead arrives, because it may be showing a new token. */
function FirstLead({ isMissing }: { isMissing: boolean }) {
  const [wasMissing] = useState(isMissing);
  if (!wasMissing) return null;
  return (
    <Suspense fallback={<Loading />}>
      <Waiting />
    </Suspense>
  );
}

/** True once all parts of the page have their data or an error: each would move those below it if it came later. */
function useIsReady(workspaceId: string, isOwner: boolean): boolean {
  const { range = rangeDefault } = page.useSearch();
  const [readyFor, setReadyFor] = useState('');
  const areBannersReady = useBannersReady();
  const ofOwners = useQueries({
    queries: [
      { ...diagnosticsQuery(workspaceId, { range, limit: 1 }), enabled: isOwner },
      { ...formsQuery(workspaceId), enabled: isOwner },
      { ...tokensQuery(workspaceId), enabled: isOwner },
      { ...destinationsQuery(workspaceId), enabled: isOwner },
      { ...openAlarmsQuery(workspaceId), enabled: isOwner },
    ],
  });
  const needed = [useQuery(newestLeadsQuery(workspaceId)), ...(isOwner ? ofOwners : [])];
  const isReady = areBannersReady && needed.every((query) => !query.isPending || query.isPaused);
  if (isReady && readyFor !== workspaceId) setReadyFor(workspaceId);
  return isReady || readyFor === workspaceId;
}

function RangePicker() {
  const { range } = page.useSearch();
  const navigate = page.useNavigate();
  return (
    <SegmentedControl
      aria-label="Time range"
      size="xs"
      data={ranges.map(({ value, label }) => ({ value, label }))}
      value={range ?? rangeDefault}
      onChange={(value) => void navigate({ to: '.', search: value === rangeDefault ? {} : { range: value } })}
    />
  );
}

function Traffic() {
  const workspaceId = useWorkspaceId();
  const { range = rangeDefault } = page.useSearch();
  const query = useQuery(diagnosticsQuery(workspaceId, { range, limit: 1 }));
  const navigate = useNavigate();
  const zoom = {
    hint: 'Click or drag across the bars to see them in Diagnostics.',
    isZoomed: false,
    onZoom: (from: string, to: string) =>
      void navigate({
        to: '/w/$workspaceId/tokens/diagnostics',
        params: { workspaceId },
        search: { range, from, to },
      }),
    onReset: () => undefined,
  };
  return (
    <Loaded query={query}>
      {(data) => (
        <div>
          <Tiles totals={data.totals} leads={{ range }} diagnostics={{ range }} />
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 8 }}>
              <Box className="panel" p="md" h="100%">
                <Group justify="space-between" mb="xs">
                  <Title order={2} size="h5">
                    Submissions
                  </Title>
                </Group>
                <OutcomeChart series={data.series} height={220} zoom={zoom} />
              </Box>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Box className="panel" p="md" h="100%">
                <Group justify="space-between" mb="xs">
                  <Title order={2} size="h5">
                    Rejection reasons
                  </Title>
                  <TextLink
                    to="/w/$workspaceId/tokens/diagnostics"
                    params={{ workspaceId }}
                    search={{ range }}
                    size="sm"
                  >
                    Diagnostics
                  </TextLink>
                </Group>
                <TopReasons reasons={data.by_reason} range={range} />
              </Box>
            </Grid.Col>
          </Grid>
        </div>
      )}
    </Loaded>
  );
}
