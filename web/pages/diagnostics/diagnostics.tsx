import { Box, Group, Switch, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { diagnosticsQuery } from '../../api/queries.ts';
import { OutcomeChart } from '../../parts/charts/outcome-chart.tsx';
import { Icon } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { Loaded, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { HeldBanners, useBannersReady, workspaceReasons } from '../held/banners/held-banners.tsx';
import { useDiagnosticsSearch } from './diagnostics-address.ts';
import { DiagnosticsFilters } from './diagnostics-filters.tsx';
import { DiagnosticsHeader } from './diagnostics-header.tsx';
import { Entries } from './entries.tsx';
import { Notes } from './notes.tsx';
import { ReasonGroups } from './reason-groups.tsx';
import { Tiles } from './tiles.tsx';

const notesMax = 5;
const categories = { rejected: 'other', limited: 'rate_limit' } as const;

/** The real reasons for rejections. Rate limits are kept apart, with their own tile, tab and look. */
export function DiagnosticsPage() {
  const workspaceId = useWorkspaceId();
  const { search, filters, leadFilters, change } = useDiagnosticsSearch();
  const tab = search.tab === 'limited' ? 'limited' : 'rejected';
  const query = useQuery(diagnosticsQuery(workspaceId, { ...filters, limit: 1 }));
  const areBannersReady = useBannersReady();
  return (
    <>
      <DiagnosticsHeader tab="rejections" />
      <DiagnosticsFilters />
      <Loaded query={query} rows={6}>
        {(data) =>
          areBannersReady ? (
            <>
              <HeldBanners reasons={workspaceReasons} mb="lg" />
              <Tiles
                totals={data.totals}
                leads={leadFilters}
                diagnostics={{ ...search, reason: undefined }}
              />
              <Box className="panel" p="md" mb="lg">
                <OutcomeChart
                  series={data.series}
                  shows={
                    search.accepted === '1'
                      ? ['accepted', 'other', 'rate_limited']
                      : ['other', 'rate_limited']
                  }
                  zoom={{
                    isZoomed: search.from !== undefined,
                    // The range stays in the URL: resetting the zoom returns to it.
                    onZoom: (from, to) => change({ from, to }),
                    onReset: () => change({ from: undefined, to: undefined }),
                  }}
                />
                <Group mt="xs">
                  <Switch
                    size="xs"
                    label="Show accepted"
                    checked={search.accepted === '1'}
                    onChange={(event) => change({ accepted: event.currentTarget.checked ? '1' : undefined })}
                  />
                </Group>
              </Box>
              <Notes notes={data.notes.slice(0, notesMax)} />
              <Tabs
                value={tab}
                onChange={(value) =>
                  change({ tab: value === 'limited' ? 'limited' : undefined, reason: undefined })
                }
              >
                <Tabs.List mb="md">
                  <Tabs.Tab value="rejected" leftSection={<Icon name="ban" size={15} />}>
                    Rejected · {numberText(data.totals.other)}
                  </Tabs.Tab>
                  <Tabs.Tab value="limited" leftSection={<Icon name="gauge" size={15} />}>
                    Rate limited · {numberText(data.totals.rate_limited)}
                  </Tabs.Tab>
                </Tabs.List>
                <Tabs.Panel value={tab}>
                  <ReasonGroups
                    reasons={data.by_reason.filter(({ category }) => category === categories[tab])}
                    tab={tab}
                  />
                  <Entries category={categories[tab]} />
                </Tabs.Panel>
              </Tabs>
            </>
          ) : (
            <Loading rows={6} />
          )
        }
      </Loaded>
    </>
  );
}
