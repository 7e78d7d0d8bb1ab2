import { NavLink, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { healthQuery, instanceAlarmsQuery } from '../../api/operator-queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { NavigationLink } from '../../parts/links.tsx';
import { shortNumber } from '../../parts/numbers.ts';
import { Tag } from '../../parts/tag.tsx';
import { useMe, useNavigatedWorkspace } from '../workspace.ts';
import { pagesFor } from './workspace-pages.ts';

const countRefreshMs = 30_000;

/** The current page has the longest path that the URL's path starts with, whether or not it is shown. */
function currentPage(pathname: string, workspaceId: string): string | undefined {
  const page = `${pathname}/`;
  return pagesFor('owner')
    .map(({ to }) => to)
    .filter((to) => page.startsWith(`${to.replace('$workspaceId', workspaceId)}/`))
    .toSorted((a, b) => b.length - a.length)[0];
}

export function Navigation() {
  const workspace = useNavigatedWorkspace();
  const isOperator = useMe()?.user.operator === true;
  const { pathname } = useLocation();
  const shown = pagesFor(workspace?.role);
  const current = workspace && currentPage(pathname, workspace.id);
  return (
    <Stack gap={2} mt="sm" component="nav" aria-label="Main">
      {workspace &&
        shown.map((page) => (
          <NavigationLink
            key={page.to}
            to={page.to}
            params={{ workspaceId: workspace.id }}
            activeOptions={{ exact: true }}
            label={page.label}
            active={page.to === current}
            aria-current={page.to === current ? 'page' : undefined}
            leftSection={<Icon name={page.icon} size={17} />}
            pl={'isNested' in page ? 30 : 10}
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
