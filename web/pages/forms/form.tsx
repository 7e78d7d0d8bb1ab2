import { Group, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { formQuery } from '../../api/queries.ts';
import { TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Loaded, Loading } from '../../parts/states.tsx';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { HeldBanners, useBannersReady } from '../held/banners/held-banners.tsx';
import { ActiveSwitch } from './active-switch.tsx';

const tabs = [
  { name: 'fields', label: 'Fields', to: '/w/$workspaceId/forms/$formId' },
  { name: 'delivery', label: 'Delivery settings', to: '/w/$workspaceId/forms/$formId/delivery' },
  { name: 'scoring', label: 'Scoring', to: '/w/$workspaceId/forms/$formId/scoring' },
] as const;

const webPagePath = '/w/$workspaceId/forms/$formId/delivery/web-page';

/** The heading and tabs that the pages of one form share. */
export function FormPage() {
  const workspaceId = useWorkspaceId();
  const formId = useFormId();
  const isOwner = useIsOwner();
  const query = useQuery(formQuery(workspaceId, formId));
  const areBannersReady = useBannersReady(formId);
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = tabs.find(({ name }) => pathname.includes(`/${formId}/${name}`)) ?? tabs[0];
  const open = (name: string | null) => {
    // Of the delivery settings, members have only the part for web pages.
    const isWebPage = name === 'delivery' && !isOwner;
    const to = isWebPage ? webPagePath : tabs.find((tab) => tab.name === name)?.to;
    if (to !== undefined) void navigate({ to, params: { workspaceId, formId } });
  };
  return (
    <Loaded query={query}>
      {(form) =>
        areBannersReady ? (
          <>
            <PageHeader
              title={form.name}
              above={
                <TextLink to="/w/$workspaceId/forms" params={{ workspaceId }} size="sm" c="dimmed">
                  Forms
                </TextLink>
              }
            >
              <Group>
                <ActiveSwitch form={form} label={form.active ? 'Active' : 'Inactive'} />
              </Group>
            </PageHeader>
            {form.active && <HeldBanners reasons={['form_inactive']} formId={formId} mb="lg" />}
            <Tabs value={current.name} onChange={open} mb="lg">
              <Tabs.List>
                {tabs.map(({ name, label }) => (
                  <Tabs.Tab key={name} value={name}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
            <Outlet />
          </>
        ) : (
          <Loading />
        )
      }
    </Loaded>
  );
}
