import { Tabs } from '@mantine/core';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';

const sections = [
  { name: 'delivery', label: 'Webhook', to: '/w/$workspaceId/forms/$formId/delivery' },
  { name: 'web-page', label: 'Web page', to: '/w/$workspaceId/forms/$formId/delivery/web-page' },
] as const;

/** The two ways in which a form gets leads by itself. Members have only one of them, so nothing to choose. */
export function DeliverySections() {
  const params = { workspaceId: useWorkspaceId(), formId: useFormId() };
  const isOwner = useIsOwner();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const current = sections.find(({ name }) => pathname.endsWith(`/${name}`)) ?? sections[0];
  if (!isOwner) return null;
  return (
    <Tabs
      variant="pills"
      value={current.name}
      onChange={(name) => {
        const to = sections.find((section) => section.name === name)?.to;
        if (to !== undefined) void navigate({ to, params });
      }}
      mb="lg"
    >
      <Tabs.List aria-label="Delivery settings">
        {sections.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
