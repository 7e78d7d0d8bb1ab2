import { Group, Stack, Tabs, Text } from '@mantine/core';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { surfaceNames } from '../../../parts/text/surface-name.ts';
import { exactTime, TimeAgo } from '../../../parts/time.tsx';
import { VerdictBadge } from '../table/cells.tsx';
import { titleOf } from '../table/identity.ts';
import { LeadActions } from './lead-actions.tsx';
import { LeadBody } from './lead-body.tsx';
import { LeadDeliveries } from './lead-deliveries.tsx';
import { LeadEnrichment } from './lead-enrichment.tsx';
import { LeadFields } from './lead-fields.tsx';
import { LeadHistory } from './lead-history.tsx';
import { LeadNotes } from './lead-notes.tsx';
import { LeadScore } from './lead-score.tsx';
import type { Mark } from './marking.tsx';

const tabs = [
  { value: 'fields', label: 'Fields', Content: LeadFields },
  { value: 'score', label: 'Score', Content: LeadScore },
  { value: 'enrichment', label: 'Enrichment', Content: LeadEnrichment },
  { value: 'deliveries', label: 'Deliveries', Content: LeadDeliveries },
  { value: 'body', label: 'Exact bytes', Content: LeadBody },
  { value: 'history', label: 'History', Content: LeadHistory },
] as const;
export type LeadTab = (typeof tabs)[number]['value'];

interface LeadDetailProps {
  readonly lead: Lead;
  /** Stays from lead to lead. */
  readonly tab: LeadTab;
  onTab(tab: LeadTab): void;
  onMarked(before: Lead, mark: NonNullable<Mark>): void;
  onErased(): void;
}

export function LeadDetail({ lead, tab, onTab, onMarked, onErased }: LeadDetailProps) {
  return (
    <Stack gap="md">
      <Stack gap={4}>
        <Text fw={600} className="wrap" lineClamp={2} dir="auto">
          {titleOf(lead.fields)}
        </Text>
        <Group gap="xs">
          <Text fz={28} fw={680} lh={1} className="numbers">
            {lead.score}
          </Text>
          <Text c="dimmed">grade {lead.grade}</Text>
          <VerdictBadge verdict={lead.verdict} isMarked={lead.mark !== null} />
        </Group>
        <Text size="xs" c="dimmed">
          {exactTime(lead.received_at)} · via {surfaceNames[lead.surface]}
        </Text>
        {lead.mark !== null && (
          <Text size="xs" c="dimmed" component="div" className="wrap">
            Marked by {lead.mark.by} <TimeAgo time={lead.mark.at} size="xs" />; scored as{' '}
            {lead.scored_verdict}.
          </Text>
        )}
      </Stack>
      <LeadActions lead={lead} onMarked={onMarked} onErased={onErased} />
      <LeadNotes lead={lead} />
      <Tabs value={tab} onChange={(value) => onTab(value as LeadTab)} keepMounted={false}>
        <Tabs.List mb="md" className="lead-tabs">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, Content }) => (
          <Tabs.Panel key={value} value={value}>
            <Content lead={lead} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
