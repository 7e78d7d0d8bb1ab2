import { Box, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import type { LeadScore as Explained } from '../../../../src/contract/leads/score.ts';
import { leadScoreQuery } from '../../../api/queries.ts';
import { percentText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { LeadMarks } from './lead-marks.tsx';
import { ScorePart } from './score-part.tsx';
import { WhyNotHigher } from './why-not-higher.tsx';

/** What the score is made of, why it is not higher, and what people decided. */
export function LeadScore({ lead }: { lead: Lead }) {
  const scored = `${lead.score} ${lead.risk} ${lead.ruleset}`;
  const query = useQuery(leadScoreQuery(useWorkspaceId(), lead.submission_id, scored));
  return (
    <Stack gap="lg">
      <Loaded query={query} rows={5}>
        {(score) => (
          <>
            <Total score={score} />
            <ScorePart name="fit" part={score.fit} isSpam={score.verdict === 'spam'} />
            <ScorePart name="intent" part={score.intent} isSpam={score.verdict === 'spam'} />
            <ScorePart name="risk" part={score.risk} isSpam={score.verdict === 'spam'} />
            <WhyNotHigher score={score} />
          </>
        )}
      </Loaded>
      <LeadMarks lead={lead} />
      <Text size="xs" c="dimmed">
        Ruleset <code>{lead.ruleset}</code>.{' '}
        {lead.second_look === null
          ? 'Scored when the lead arrived.'
          : 'Scored again after a check of its mail server.'}
      </Text>
    </Stack>
  );
}

function Total({ score }: { score: Explained }) {
  return (
    <Box>
      <Title order={3} size="h5" className="numbers">
        Score {score.score} of 100, grade {score.grade}
      </Title>
      <Text size="sm" mt={4}>
        {howMade(score)}
      </Text>
    </Box>
  );
}

function howMade({ score, verdict, fit, intent, risk }: Explained): string {
  if (verdict === 'spam') {
    return `The scorer found spam, and the score of spam is always 0. Its risk is ${risk.total} of 100.`;
  }
  const formula = `${percentText(fit.share)} of fit plus ${percentText(intent.share)} of intent, reduced by the risk`;
  if (fit.adds === null || intent.adds === null || risk.adds === null) {
    return `The score is ${formula}. An earlier release scored this lead in another way, so its parts do not add up to its score.`;
  }
  const tenths = Math.round((fit.adds + intent.adds + risk.adds) * 10);
  const reduced = risk.adds === 0 ? '' : ` − ${Math.abs(risk.adds)}`;
  const sum = `${fit.adds} + ${intent.adds}${reduced} = ${tenths / 10}`;
  return `The score is ${formula}: ${sum}${tenths === score * 10 ? '' : `, rounded to ${score}`}.`;
}
