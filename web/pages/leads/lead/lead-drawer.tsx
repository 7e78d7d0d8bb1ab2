import { ActionIcon, Drawer, Group, Stack, Tabs, Text, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { leadQuery, leadsQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { Loaded } from '../../../parts/states.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useLeadSearch, useOpenLead } from '../lead-address.ts';
import { VerdictBadge } from '../table/cells.tsx';
import { LeadActions } from './lead-actions.tsx';
import { LeadBody } from './lead-body.tsx';
import { LeadEnrichment } from './lead-enrichment.tsx';
import { LeadFields } from './lead-fields.tsx';
import { LeadHistory } from './lead-history.tsx';
import { LeadNotes } from './lead-notes.tsx';
import { LeadScore } from './lead-score.tsx';

export function LeadDrawer() {
  const workspaceId = useWorkspaceId();
  const leadId = useParams({ from: '/signed-in/w/$workspaceId/leads/$leadId' }).leadId;
  const { open, close } = useOpenLead();
  const query = useQuery(leadQuery(workspaceId, leadId));
  const { previous, next } = useNeighbours(leadId);
  useHotkeys([
    ['j', () => open(next)],
    ['k', () => open(previous)],
  ]);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={620}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={
        <Group gap="xs">
          <Text fw={620}>Lead</Text>
          <Neighbour label="Previous lead" icon="up" id={previous} onOpen={open} />
          <Neighbour label="Next lead" icon="down" id={next} onOpen={open} />
        </Group>
      }
    >
      <Loaded query={query}>
        {(lead) => <LeadDetail key={lead.submission_id} lead={lead} onErased={close} />}
      </Loaded>
    </Drawer>
  );
}

function LeadDetail({ lead, onErased }: { lead: Lead; onErased: () => void }) {
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start">
        <Stack gap={4}>
          <Group gap="xs">
            <Text fz={28} fw={680} lh={1} className="numbers">
              {lead.score}
            </Text>
            <Text c="dimmed">grade {lead.grade}</Text>
            <VerdictBadge verdict={lead.verdict} isMarked={lead.mark !== null} />
          </Group>
          <Text size="xs" c="dimmed">
            {exactTime(lead.received_at)} · by {lead.surface === 'server' ? 'token' : 'webhook'}
          </Text>
        </Stack>
      </Group>
      <LeadActions lead={lead} onErased={onErased} />
      <LeadNotes lead={lead} />
      <Tabs defaultValue="fields" keepMounted={false}>
        <Tabs.List mb="md" className="lead-tabs">
          <Tabs.Tab value="fields">Fields</Tabs.Tab>
          <Tabs.Tab value="score">Score</Tabs.Tab>
          <Tabs.Tab value="enrichment">Enrichment</Tabs.Tab>
          <Tabs.Tab value="body">Exact bytes</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="fields">
          <LeadFields lead={lead} />
        </Tabs.Panel>
        <Tabs.Panel value="score">
          <LeadScore lead={lead} />
        </Tabs.Panel>
        <Tabs.Panel value="enrichment">
          <LeadEnrichment lead={lead} />
        </Tabs.Panel>
        <Tabs.Panel value="body">
          <LeadBody lead={lead} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <LeadHistory lead={lead} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** The leads before and after this one in the list behind the drawer, if they are loaded. */
function useNeighbours(leadId: string) {
  const { filters } = useLeadSearch();
  const { data } = useInfiniteQuery(leadsQuery(useWorkspaceId(), filters));
  const ids = data?.pages.flatMap(({ items }) => items.map((lead) => lead.submission_id)) ?? [];
  const place = ids.indexOf(leadId);
  return {
    previous: place > 0 ? ids[place - 1] : undefined,
    next: place === -1 ? undefined : ids[place + 1],
  };
}

interface NeighbourProps {
  readonly label: string;
  readonly icon: 'up' | 'down';
  readonly id: string | undefined;
  onOpen(id: string | undefined): void;
}

function Neighbour({ label, icon, id, onOpen }: NeighbourProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={id === undefined}
        onClick={() => onOpen(id)}
        aria-label={label}
      >
        <Icon name={icon} size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
