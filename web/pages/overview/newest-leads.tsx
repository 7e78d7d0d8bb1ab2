import { Box, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { LeadListed } from '../../../src/contract/leads/lead.ts';
import { newestLeadsQuery } from '../../api/queries.ts';
import { TextLink } from '../../parts/links.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { ScoreCell, VerdictBadge, valueText } from '../leads/table/cells.tsx';

const partsMax = 3;

export function NewestLeads() {
  const workspaceId = useWorkspaceId();
  const { data } = useQuery(newestLeadsQuery(workspaceId));
  const leads = data?.items ?? [];
  if (leads.length === 0) return null;
  return (
    <Box className="panel" p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          Newest leads
        </Title>
        <TextLink to="/w/$workspaceId/leads" params={{ workspaceId }} size="sm">
          All leads
        </TextLink>
      </Group>
      {leads.map((lead) => (
        <Link
          key={lead.submission_id}
          to="/w/$workspaceId/leads/$leadId"
          params={{ workspaceId, leadId: lead.submission_id }}
          className="quiet-link"
        >
          <Group wrap="nowrap" gap="md" py={8} className="field">
            <Box w={96} style={{ flex: 'none' }} c="dimmed">
              <TimeAgo time={lead.received_at} />
            </Box>
            <Text size="sm" className="cut" flex={1}>
              {titleOf(lead)}
            </Text>
            <Box visibleFrom="xs">
              <ScoreCell lead={lead} />
            </Box>
            <VerdictBadge verdict={lead.verdict} isMarked={lead.mark !== null} />
          </Group>
        </Link>
      ))}
    </Box>
  );
}

/** The first few texts of a lead identify it best. */
function titleOf(lead: LeadListed): string {
  const texts = Object.values(lead.fields)
    .filter((value) => typeof value === 'string' && value !== '')
    .slice(0, partsMax);
  return texts.map((value) => valueText(value).slice(0, 80)).join(' · ') || 'Lead without text';
}
