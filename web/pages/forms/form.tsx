import { Anchor, Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { formQuery } from '../../api/queries.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded } from '../../parts/states.tsx';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { ActiveSwitch } from './active-switch.tsx';

/** The head and tabs that the pages of one form share. */
export function FormPage() {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const isOwner = useIsOwner();
  const query = useQuery(formQuery(workspaceId, formId));
  const base = `/w/${workspaceId}/forms/${formId}`;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const tab = pathname.slice(base.length).replace(/\//g, '') || 'fields';
  return (
    <Loaded query={query}>
      {(form) => (
        <>
          <PageHeader
            title={form.name}
            above={
              <Anchor component={Link} to={`/w/${workspaceId}/forms`} size="sm" c="dimmed">
                Forms
              </Anchor>
            }
          >
            <Group>
              <ActiveSwitch form={form} label={form.active ? 'Takes leads' : 'Rejects leads'} />
            </Group>
          </PageHeader>
          <Tabs
            value={tab}
            onChange={(value) => void navigate({ to: value === 'fields' ? base : `${base}/${value}` })}
            mb="lg"
          >
            <Tabs.List>
              <Tabs.Tab value="fields">Fields</Tabs.Tab>
              {isOwner && <Tabs.Tab value="delivery">Delivery settings</Tabs.Tab>}
              <Tabs.Tab value="scoring">Scoring</Tabs.Tab>
            </Tabs.List>
          </Tabs>
          <Outlet />
        </>
      )}
    </Loaded>
  );
}
