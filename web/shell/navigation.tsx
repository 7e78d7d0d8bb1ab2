import { NavLink, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { healthQuery } from '../api/queries.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { shortNumber } from '../parts/numbers.ts';
import { Tag } from '../parts/tag.tsx';
import { useIsOwner, useMe, useWorkspace, useWorkspaceId } from './workspace.ts';

const countRefreshMs = 30_000;

interface Item {
  readonly path: string;
  readonly label: string;
  readonly icon: IconName;
  readonly forOwners?: true;
  readonly isNested?: true;
}

const items: readonly Item[] = [
  { path: '', label: 'Overview', icon: 'overview' },
  { path: '/leads', label: 'Leads', icon: 'leads' },
  { path: '/forms', label: 'Forms', icon: 'forms' },
  { path: '/tokens', label: 'Ingest tokens', icon: 'token', forOwners: true },
  { path: '/tokens/diagnostics', label: 'Diagnostics', icon: 'diagnostics', forOwners: true, isNested: true },
  { path: '/debugger', label: 'Signature debugger', icon: 'debugger', forOwners: true },
  { path: '/enrichment', label: 'Enrichment', icon: 'spark', forOwners: true },
  { path: '/workspace', label: 'Workspace', icon: 'workspace' },
];

/** Of all items whose address the page's begins with, the longest is the current one. */
function currentPath(rest: string, shown: readonly Item[]): string {
  const matching = shown.filter(({ path }) => rest === path || rest.startsWith(`${path}/`));
  return matching.reduce((best, { path }) => (path.length > best.length ? path : best), '');
}

export function Navigation() {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const isMine = useWorkspace() !== undefined;
  const isOperator = useMe()?.user.operator === true;
  const { pathname } = useLocation();
  const base = `/w/${workspaceId}`;
  const shown = items.filter(({ forOwners }) => forOwners !== true || isOwner);
  const current = pathname.startsWith(base) ? currentPath(pathname.slice(base.length), shown) : null;
  return (
    <Stack gap={2} mt="sm" component="nav" aria-label="Main">
      {isMine &&
        shown.map(({ path, label, icon, isNested }) => (
          <NavLink
            key={path}
            component={Link}
            to={`${base}${path}`}
            activeOptions={{ exact: true }}
            label={label}
            active={path === current}
            aria-current={path === current ? 'page' : undefined}
            leftSection={<Icon name={icon} size={17} />}
            pl={isNested ? 30 : 10}
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

/** How many leads wait for a decision is counted now and then: there are hardly ever any. */
function OperatorLinks({ pathname }: { pathname: string }) {
  const health = useQuery({ ...healthQuery, refetchInterval: countRefreshMs });
  const waiting = health.data?.spool.refused ?? 0;
  return (
    <>
      <NavLink
        component={Link}
        to="/operator"
        activeOptions={{ exact: true }}
        label="Operator"
        active={pathname === '/operator'}
        leftSection={<Icon name="operator" size={17} />}
        pl={10}
        py={7}
        mt="md"
        style={{ borderRadius: 8 }}
      />
      <NavLink
        component={Link}
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
