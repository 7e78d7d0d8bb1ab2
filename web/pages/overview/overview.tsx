import { Box, Grid, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { diagnosticsQuery, firstLeadQuery, tokensQuery } from '../../api/queries.ts';
import { OutcomeChart } from '../../parts/charts/outcome-chart.tsx';
import { rangeDefault, ranges } from '../../parts/charts/time-range.ts';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Samples } from '../../parts/samples.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { Tiles } from '../diagnostics/tiles.tsx';
import { Checklist } from './checklist.tsx';
import { NewestLeads } from './newest-leads.tsx';
import { TopReasons } from './top-reasons.tsx';

const page = getRouteApi('/signed-in/w/$workspaceId');

export function Overview() {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const first = useQuery(firstLeadQuery(workspaceId));
  const hasLeads = (first.data?.items.length ?? 0) > 0;
  return (
    <>
      <PageHeader title="Overview">{isOwner && hasLeads && <RangePicker />}</PageHeader>
      <Stack gap="lg">
        {isOwner && <Checklist hasLeads={hasLeads} />}
        {isOwner && first.data && !hasLeads && <Waiting />}
        {isOwner && hasLeads && <Traffic />}
        <NewestLeads />
      </Stack>
    </>
  );
}

/** A ready command, until the first lead arrives: the query above polls for it. */
function Waiting() {
  const tokens = useQuery(tokensQuery(useWorkspaceId()));
  const hint = tokens.data?.items.find(({ status }) => status === 'active')?.hint;
  return (
    <Box className="panel" p="md">
      <Title order={2} size="h5">
        Send your first lead
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {hint === undefined
          ? 'Create an ingest token, put it in the variable LEADGATE_TOKEN and run this.'
          : `Put your token (${hint}) in the variable LEADGATE_TOKEN and run this.`}
      </Text>
      <Samples surface="token" />
      <Group gap={8} mt="md" role="status">
        <span className="pulse" />
        <Text size="sm">Waiting for the first lead…</Text>
      </Group>
    </Box>
  );
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
        search: { range, from, to, accepted: '1' },
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
