import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { scoringRulesQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { pointsText } from '../../../parts/numbers.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';

/** Why the lead has its score and verdict, with the reasons that weigh most first. */
export function LeadScore({ lead }: { lead: Lead }) {
  const rules = useQuery(scoringRulesQuery(useWorkspaceId(), lead.form_id));
  const axes = new Map(rules.data?.items.map(({ code, axis }) => [code, axis]));
  const reasons = lead.reasons.toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
  return (
    <Stack gap="md">
      <Group gap="xl">
        <Figure label="Score" value={`${lead.score} of 100`} note={`grade ${lead.grade}`} />
        <Figure label="Risk" value={`${lead.risk} of 100`} note={`verdict ${lead.scored_verdict}`} />
      </Group>
      {reasons.length === 0 ? (
        <Text size="sm" c="dimmed">
          No rules applied. The score reflects how complete the lead is.
        </Text>
      ) : (
        <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
          {reasons.map((reason) => (
            <Reason
              key={`${reason.code} ${reason.field ?? ''}`}
              reason={reason}
              isRisk={axes.get(reason.code) !== 'score'}
            />
          ))}
        </Box>
      )}
      <Text size="xs" c="dimmed">
        Ruleset <code>{lead.ruleset}</code>.{' '}
        {lead.second_look === null
          ? 'Scored when the lead arrived.'
          : 'Scored again after a check of its mail server.'}
      </Text>
    </Stack>
  );
}

function Figure({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <Box>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fw={640} className="numbers">
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Box>
  );
}

function Reason({ reason, isRisk }: { reason: Lead['reasons'][number]; isRisk: boolean }) {
  const isGood = isRisk ? reason.points < 0 : reason.points > 0;
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" py={8} className="field">
      <Group gap={4} w={84} wrap="nowrap" c={isGood ? 'var(--accepted-text)' : 'var(--rejected-text)'} mt={1}>
        <Icon name={isGood ? 'check' : 'alert'} size={14} />
        <Text size="sm" fw={620} className="numbers">
          {pointsText(reason.points)}
        </Text>
      </Group>
      <Box miw={0}>
        <Text size="sm" className="wrap">
          {reason.text}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {isRisk ? 'risk' : 'score'} · {reason.code}
          {reason.field === undefined ? '' : ` · ${reason.field}`}
        </Text>
      </Box>
    </Group>
  );
}
