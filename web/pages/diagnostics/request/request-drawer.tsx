import { ActionIcon, Drawer, Group, Tabs, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RejectedRequest } from '../../../../src/contract/diagnostics/rejected-request.ts';
import { Icon } from '../../../parts/icons.tsx';
import { useKeys } from '../../../parts/keys/use-keys.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { rejectedRequestQuery } from './request-queries.ts';
import { RequestTab } from './request-tab.tsx';
import { ResponseTab } from './response-tab.tsx';
import { WhyTab } from './why-tab.tsx';

interface RequestDrawerProps {
  readonly opened: boolean;
  readonly id: string;
  /** Those in the list, in its order. */
  readonly ids: readonly string[];
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
}

/** One rejected request: why it was rejected, what was sent, and what the sender saw. */
export function RequestDrawer({ opened, id, ids, onOpen, onClose }: RequestDrawerProps) {
  const workspaceId = useWorkspaceId();
  const query = useQuery({ ...rejectedRequestQuery(workspaceId, id), enabled: opened });
  // Kept from one request to the next.
  const [tab, setTab] = useState<string | null>('why');
  const place = ids.indexOf(id);
  const previous = place === -1 ? undefined : ids[place - 1];
  const next = place === -1 ? undefined : ids[place + 1];
  const goingTo = (label: string, to: string | undefined) => ({
    label,
    press: () => to !== undefined && onOpen(to),
    repeats: true,
    worksInDrawer: true,
  });
  useKeys(opened ? { j: goingTo('Next request', next), k: goingTo('Previous request', previous) } : {});
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={620}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={
        <Group gap="xs">
          <Text fw={620}>Rejected request</Text>
          <Neighbour label="Previous request" icon="up" id={previous} onOpen={onOpen} />
          <Neighbour label="Next request" icon="down" id={next} onOpen={onOpen} />
        </Group>
      }
    >
      <Loaded query={query}>
        {(request) => <RequestTabs key={request.id} request={request} tab={tab} onTab={setTab} />}
      </Loaded>
    </Drawer>
  );
}

interface RequestTabsProps {
  readonly request: RejectedRequest;
  readonly tab: string | null;
  readonly onTab: (tab: string | null) => void;
}

function RequestTabs({ request, tab, onTab }: RequestTabsProps) {
  return (
    <Tabs value={tab} onChange={onTab} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="why">Why</Tabs.Tab>
        <Tabs.Tab value="request">Request</Tabs.Tab>
        <Tabs.Tab value="response">Response</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="why">
        <WhyTab request={request} />
      </Tabs.Panel>
      <Tabs.Panel value="request">
        <RequestTab request={request} />
      </Tabs.Panel>
      <Tabs.Panel value="response">
        <ResponseTab request={request} />
      </Tabs.Panel>
    </Tabs>
  );
}

interface NeighbourProps {
  readonly label: string;
  readonly icon: 'up' | 'down';
  readonly id: string | undefined;
  readonly onOpen: (id: string) => void;
}

/** At the end of the list it keeps the focus, which a disabled button would lose. */
function Neighbour({ label, icon, id, onOpen }: NeighbourProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-disabled={id === undefined}
        {...(id === undefined ? { 'data-disabled': true } : {})}
        onClick={() => id !== undefined && onOpen(id)}
        aria-label={label}
      >
        <Icon name={icon} size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
