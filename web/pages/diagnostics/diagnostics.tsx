import './diagnostics.css';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { diagnosticsQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { Loaded, Loading } from '../../parts/states.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { HeldBanners, useBannersReady, workspaceReasons } from '../held/banners/held-banners.tsx';
import { Charts } from './charts/charts.tsx';
import { useDiagnosticsSearch } from './diagnostics-address.ts';
import { DiagnosticsHeader } from './diagnostics-header.tsx';
import { Entries } from './entries.tsx';
import { DiagnosticsFilters } from './filters/diagnostics-filters.tsx';
import { ReasonGroups, useGroups } from './groups/reason-groups.tsx';
import { RateLimits } from './limits/rate-limits.tsx';
import { LiveContext, useLive, useLiveOptions } from './live.ts';
import { Notes } from './notes.tsx';
import { RateAndTimes } from './rate-and-times.tsx';
import { RequestSearched } from './request/request-searched.tsx';
import { Tiles } from './tiles.tsx';
import { useZone } from './zone.ts';

const notesMax = 5;

/** The real reasons for rejections. Rate limits are kept apart, with their own tile, tab and look. */
export function DiagnosticsPage() {
  const zone = useZone();
  const [isLive, setLive] = useLive();
  const { search, isRequestSearch } = useDiagnosticsSearch();
  return (
    <LiveContext value={isLive}>
      <DiagnosticsHeader tab="rejections" />
      <DiagnosticsFilters {...zone} isLive={isLive} setLive={setLive} />
      {isRequestSearch ? <RequestSearched key={search.request_id} /> : <Outcomes />}
    </LiveContext>
  );
}

function Outcomes() {
  const workspaceId = useWorkspaceId();
  const { search, tab, filters, leadFilters, change } = useDiagnosticsSearch();
  const query = useQuery({ ...diagnosticsQuery(workspaceId, { ...filters, limit: 1 }), ...useLiveOptions() });
  const areBannersReady = useBannersReady();
  const isReady = !useGroups().isPending && areBannersReady;
  return (
    <Loaded query={query} rows={6}>
      {(data) =>
        isReady ? (
          <>
            <HeldBanners reasons={workspaceReasons} within={filters} mb="lg" />
            <Tiles
              totals={data.totals}
              leads={leadFilters}
              diagnostics={{ ...search, reason: undefined, severity: undefined }}
            />
            <RateAndTimes totals={data.totals} handling={data.handling} />
            <Charts series={data.series} isOld={query.isPlaceholderData} />
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
                {tab === 'limited' && <RateLimits />}
                <ReasonGroups reasons={data.by_reason} />
                <Entries />
              </Tabs.Panel>
            </Tabs>
          </>
        ) : (
          <Loading rows={6} />
        )
      }
    </Loaded>
  );
}
