import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { PageHeader } from '../../parts/page-header.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

const tabs = [
  { name: 'rejections', label: 'Rejections', to: '/w/$workspaceId/tokens/diagnostics' },
  { name: 'held', label: 'Held', to: '/w/$workspaceId/tokens/diagnostics/held' },
] as const;

/** The heading and tabs that both pages of Diagnostics share. */
export function DiagnosticsHeader({ tab }: { tab: (typeof tabs)[number]['name'] }) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const open = (name: string | null) => {
    const to = tabs.find((each) => each.name === name)?.to;
    if (to !== undefined && name !== tab) void navigate({ to, params: { workspaceId } });
  };
  return (
    <>
      <PageHeader
        title="Diagnostics"
        text={
          tab === 'held'
            ? 'Rejected requests that are kept for some days, so that you can still admit them.'
            : 'Why submissions were rejected. Senders never see this; they all get the same response.'
        }
      />
      <Tabs value={tab} onChange={open} mb="lg">
        <Tabs.List aria-label="Diagnostics">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </>
  );
}
