import { Box, Group, Text } from '@mantine/core';
import type { LeadListed } from '../../../../src/contract/leads/lead.ts';
import { TimeAgo } from '../../../parts/time.tsx';
import { SelectHead } from '../selection/select-cell.tsx';
import { LeadLink, ScoreCell, VerdictBadge } from './cells.tsx';
import { emailOf, titleOf } from './identity.ts';

export const compactRowHeight = 66;

/** Who, what and when on two lines, for screens on which a table would hide the names. */
export function CompactCells({ lead, formName }: { lead: LeadListed; formName: string }) {
  const title = titleOf(lead.fields);
  const email = emailOf(lead.fields);
  return (
    <>
      <Box role="cell" className="lead-who">
        <Text size="sm" fw={560} className="cut" dir="auto">
          <LeadLink lead={lead}>{title}</LeadLink>
        </Text>
        <Text size="xs" c="dimmed" className="cut" dir="auto">
          {email === '' || email === title ? formName : email}
        </Text>
      </Box>
      <Box role="cell" className="lead-what">
        <Group gap={8} wrap="nowrap" justify="flex-end">
          <ScoreCell lead={lead} />
          <VerdictBadge verdict={lead.verdict} isMarked={lead.mark !== null} />
        </Group>
        <Text size="xs" c="dimmed" ta="right" component="div">
          <TimeAgo time={lead.received_at} size="xs" />
        </Text>
      </Box>
    </>
  );
}

export function CompactHead() {
  return (
    <Box role="row" aria-rowindex={1} className="only-read">
      <SelectHead />
      <Box component="span" role="columnheader">
        Lead
      </Box>
      <Box component="span" role="columnheader">
        Score, verdict and time
      </Box>
    </Box>
  );
}
