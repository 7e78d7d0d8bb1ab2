import { Box, Group, Text, Title } from '@mantine/core';
import type { LeadScore } from '../../../../src/contract/leads/score.ts';
import { Icon } from '../../../parts/icons.tsx';
import { pointsText } from '../../../parts/numbers.ts';

/** What is missing, with what each would add to the score, the largest first. */
export function WhyNotHigher({ score }: { score: LeadScore }) {
  if (score.score === 100) return null;
  const rows = rowsOf(score);
  return (
    <Box component="section" aria-labelledby="score-missing">
      <Title order={4} size="h6" id="score-missing">
        Why not higher?
      </Title>
      <Text size="xs" c="dimmed">
        {introOf(score, rows.length)}
      </Text>
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {rows.map(({ code, family, text, adds }) => (
          <Group key={code} component="li" wrap="nowrap" align="flex-start" gap="sm" py={8} className="field">
            <Group gap={4} w={72} wrap="nowrap" c="dimmed" mt={1} style={{ flex: 'none' }}>
              <Icon name="up" size={14} />
              <Text size="sm" fw={620} className="numbers">
                {pointsText(adds)}
              </Text>
            </Group>
            <Box miw={0}>
              <Text size="sm" className="wrap" dir="auto">
                {text}
              </Text>
              <Text size="xs" c="dimmed" className="wrap">
                {family} · {code}
              </Text>
            </Box>
          </Group>
        ))}
      </Box>
    </Box>
  );
}

/** Risk costs points too. */
function rowsOf({ score, risk, without_risk, missing }: LeadScore) {
  const lost = (without_risk ?? score) - score;
  const ofRisk =
    lost > 0 ? [{ code: 'see above', family: 'risk', text: `Risk of ${risk.total}`, adds: lost }] : [];
  return [...ofRisk, ...missing].toSorted((a, b) => b.adds - a.adds);
}

function introOf({ verdict, fit }: LeadScore, count: number): string {
  if (verdict === 'spam')
    return 'Because of the risk: the reasons above. A mark changes the verdict, not the score.';
  if (fit.adds === null) return 'Not known: an earlier release scored this lead in another way.';
  return count === 0
    ? 'Nothing else that the rules look for would raise it.'
    : 'What each of these alone would add to the score. Together they may add less, because fit and intent end at 100.';
}
