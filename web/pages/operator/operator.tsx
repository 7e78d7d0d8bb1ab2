import { Button, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { healthQuery } from '../../api/operator-queries.ts';
import { CreateWorkspace } from '../../parts/dialogs/create-workspace.tsx';
import { Icon } from '../../parts/icons.tsx';
import { shortNumber } from '../../parts/numbers.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Empty } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { useMe } from '../../shell/workspace.ts';

const tabs = [
  { to: '/operator', label: 'Health' },
  { to: '/operator/workspaces', label: 'Workspaces' },
  { to: '/operator/people', label: 'People' },
  { to: '/operator/settings', label: 'Settings' },
  { to: '/operator/audit', label: 'Audit log' },
  { to: '/operator/quarantine', label: 'Quarantine' },
] as const;

// Only a count; the Health tab asks more often.
const countRefreshMs = 30_000;

/** The heading and tabs of the operator's pages; each is loaded when it is opened. */
export function Operator() {
  const isOperator = useMe()?.user.operator === true;
  const health = useQuery({ ...healthQuery, refetchInterval: countRefreshMs, enabled: isOperator });
  const waiting = health.data?.spool.refused ?? 0;
  const [isCreating, creating] = useDisclosure();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const open = (to: string | null) => {
    const tab = tabs.find((one) => one.to === to);
    if (tab !== undefined) void navigate({ to: tab.to });
  };
  const current = tabs.find(({ to }) => to === pathname.replace(/\/$/, '')) ?? tabs[0];
  if (!isOperator) return <OperatorsOnly />;
  return (
    <>
      <PageHeader
        title={current === tabs[0] ? 'Operator' : `Operator: ${current.label}`}
        text="The health of the service, all workspaces and people. You cannot see what is in workspaces that you do not belong to."
      >
        {current.to === '/operator/workspaces' && (
          <Button leftSection={<Icon name="plus" />} onClick={creating.open}>
            Create workspace
          </Button>
        )}
        <CreateWorkspace opened={isCreating} onClose={creating.close} />
      </PageHeader>
      <Tabs value={current.to} onChange={open} mb="lg" keepMounted={false}>
        <Tabs.List>
          {tabs.map(({ to, label }) => (
            <Tabs.Tab
              key={to}
              value={to}
              {...(to === '/operator/quarantine' && waiting > 0
                ? { rightSection: <Waiting count={waiting} /> }
                : {})}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Outlet />
    </>
  );
}

function OperatorsOnly() {
  return (
    <>
      <PageHeader title="Operator" />
      <Empty
        icon="ban"
        title="Operators only"
        text="Only operators can do this. Another operator can make you one."
      />
    </>
  );
}

function Waiting({ count }: { count: number }) {
  return (
    <Tag tone="bad">
      {shortNumber(count)}
      <span className="only-read"> waiting</span>
    </Tag>
  );
}
