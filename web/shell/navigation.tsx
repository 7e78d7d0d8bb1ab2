import { NavLink, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { healthQuery, instanceAlarmsQuery } from '../api/operator-queries.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { NavigationLink } from '../parts/links.tsx';
import { shortNumber } from '../parts/numbers.ts';
import { Tag } from '../parts/tag.tsx';
import { useMe, useNavigatedWorkspace } from './workspace.ts';

const countRefreshMs = 30_000;

interface Item {
  readonly to: string;
  readonly label: string;
  readonly icon: IconName;
  readonly forOwners?: true;
  readonly isNested?: true;
}

const items = [
  { to: '/w/$workspaceId', label: 'Overview', icon: 'overview' },
  { to: '/w/$workspaceId/leads', label: 'Leads', icon: 'leads' },
  { to: '/w/$workspaceId/forms', label: 'Forms', icon: 'forms' },
  { to: '/w/$workspaceId/tokens', label: 'Ingest tokens', icon: 'token', forOwners: true },
  {
    to: '/w/$workspaceId/tokens/diagnostics',
    label: 'Diagnostics',
    icon: 'diagnostics',
    forOwners: true,
    isNested: true,
  },
  { to: '/w/$workspaceId/alarms', label: 'Alarms', icon: 'bell', forOwners: true },
  { to: '/w/$workspaceId/debugger', label: 'Signature debugger', icon: 'debugger', forOwners: true },
  { to: '/w/$workspaceId/enrichment', label: 'Enrichment', icon: 'spark', forOwners: true },
  { to: '/w/$workspaceId/destinations', label: 'Destinations', icon: 'destinations', forOwners: true },
  {
    to: '/w/$workspaceId/deliveries',
    label: 'Deliveries',
    icon: 'deliveries',
    forOwners: true,
    isNested: true,
  },
  { to: '/w/$workspaceId/api-keys', label: 'API keys', icon: 'plug', forOwners: true },
  { to: '/w/$workspaceId/workspace', label: 'Workspace', icon: 'workspace' },
] as const satisfies readonly Item[];

/** The current item has the longest path that the page's path starts with. */
function currentItem(pathname: string, workspaceId: string): string | undefined {
  const page = `${pathname}/`;
  return items
    .map(({ to }) => to)
    .filter((to) => page.startsWith(`${to.replace('$workspaceId', workspaceId)}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

export function Navigation() {
  const workspace = useNavigatedWorkspace();
  const isOperator = useMe()?.user.operator === true;
  const { pathname } = useLocation();
  const shown = items.filter((item) => !('forOwners' in item) || workspace?.role === 'owner');
  const current = workspace && currentItem(pathname, workspace.id);
  return (
    <Stack gap={2} mt="sm" component="nav" aria-label="Main">
      {workspace &&
        shown.map((item) => (
          <NavigationLink
            key={item.to}
            to={item.to}
            params={{ workspaceId: workspace.id }}
            activeOptions={{ exact: true }}
            label={item.label}
            active={item.to === current}
            aria-current={item.to === current ? 'page' : undefined}
            leftSection={<Icon name={item.icon} size={17} />}
            pl={'isNested' in item ? 30 : 10}
            py={7}
            style={{ borderRadius: 8 }}
          />
        ))}
      {isOperator && <OperatorLinks pathname={pathname} />}
      <NavLink
        href="/docs"
        label="Documentation"
        leftSection={<Icon name="docs" size={17} />}
        pl={10}
        py={7}
        mt="md"
        style={{ borderRadius: 8 }}
      />
    </Stack>
  );
}

/** There is rarely something for operators to decide, so it is counted only now and then. */
function OperatorLinks({ pathname }: { pathname: string }) {
  const health = useQuery({ ...healthQuery, refetchInterval: countRefreshMs });
  const waiting = health.data?.spool.refused ?? 0;
  const alarms = useInfiniteQuery(instanceAlarmsQuery('open')).data?.pages[0]?.items ?? [];
  const open = alarms.filter(({ acknowledged_at }) => acknowledged_at === null);
  return (
    <>
      <NavigationLink
        to="/operator"
        activeOptions={{ exact: true }}
        label="Operator"
        active={pathname.startsWith('/operator') && pathname !== '/operator/quarantine'}
        leftSection={<Icon name="operator" size={17} />}
        rightSection={
          open.length > 0 && (
            <Tag tone={open.some(({ severity }) => severity === 'high') ? 'bad' : 'warning'}>
              {open.length}
              <span className="only-read"> open {open.length === 1 ? 'alarm' : 'alarms'}</span>
            </Tag>
          )
        }
        pl={10}
        py={7}
        mt="md"
        style={{ borderRadius: 8 }}
      />
      <NavigationLink
        to="/operator/quarantine"
        activeOptions={{ exact: true }}
        label="Quarantine"
        active={pathname === '/operator/quarantine'}
        leftSection={<Icon name="quarantine" size={17} />}
        rightSection={
          waiting > 0 && (
            <Tag tone="bad">
              {shortNumber(waiting)}
              <span className="only-read"> waiting</span>
            </Tag>
          )
        }
        pl={30}
        py={7}
        style={{ borderRadius: 8 }}
      />
    </>
  );
}
