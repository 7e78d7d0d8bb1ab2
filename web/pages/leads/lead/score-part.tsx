import { Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { LeadScore } from '../../../../src/contract/leads/score.ts';
import { Icon } from '../../../parts/icons.tsx';
import { pointsText } from '../../../parts/numbers.ts';

type Name = 'fit' | 'intent' | 'risk';
type Part = LeadScore[Name];
type Reason = Part['reasons'][number];

const titles: Record<Name, string> = { fit: 'Fit', intent: 'Intent', risk: 'Risk' };
const meanings: Record<Name, string> = {
  fit: 'How well the sender fits',
  intent: 'How interested the sender is',
  risk: 'How likely the lead is spam',
};

/** Fit, intent or risk: its reasons with their points, and what it adds to the score. */
export function ScorePart({ name, part, isSpam }: { name: Name; part: Part; isSpam: boolean }) {
  const id = `score-${name}`;
  const isUncounted = isSpam && name !== 'risk';
  return (
    <Box component="section" aria-labelledby={id}>
      <Group justify="space-between" align="baseline" gap="xs">
        <Title order={4} size="h6" id={id} className="numbers">
          {titles[name]} {isUncounted ? '' : `${part.total} of 100`}
        </Title>
        <Text size="sm" fw={600} className="numbers">
          {addsText(name, part.adds, isSpam)}
        </Text>
      </Group>
      <Text size="xs" c="dimmed">
        {meanings[name]}.
      </Text>
      {part.reasons.length === 0 && (
        <Text size="sm" c="dimmed" mt={6}>
          {emptyText(name, isUncounted)}
        </Text>
      )}
      <Box component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {capsLast(part.reasons).map((reason, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two findings can be equal, and the list is always shown whole.
          <ReasonRow key={i} name={name} reason={reason} />
        ))}
        {part.sum !== part.total && <LimitRow name={name} part={part} />}
      </Box>
    </Box>
  );
}

function addsText(name: Name, adds: number | null, isSpam: boolean): string {
  if (adds === null) return '';
  if (isSpam) return name === 'risk' ? 'makes the score 0' : '';
  if (adds === 0) return name === 'risk' ? 'takes nothing from the score' : 'adds nothing to the score';
  return `${pointsText(adds)} ${adds > 0 ? 'to' : 'from'} the score`;
}

function emptyText(name: Name, isUncounted: boolean): string {
  if (isUncounted) return 'Not counted: the score of spam is 0.';
  return name === 'risk' ? 'Nothing suspicious found.' : `Nothing found that raises ${name}.`;
}

/** A cap takes from the points above it. */
function capsLast(reasons: readonly Reason[]): Reason[] {
  return reasons.toSorted((a, b) => Number(a.family === 'cap') - Number(b.family === 'cap'));
}

function ReasonRow({ name, reason }: { name: Name; reason: Reason }) {
  const isMore = reason.points > 0;
  const isCap = reason.family === 'cap';
  return (
    <Row isGood={isCap ? null : isMore === (name !== 'risk')} points={reason.points}>
      <Text size="sm" className="wrap" dir="auto">
        {reason.text}
      </Text>
      <Text size="xs" c="dimmed" className="wrap">
        {isCap ? 'limits' : isMore ? 'raises' : 'lowers'} {name} · {reason.code}
        {reason.field === undefined ? '' : ' · '}
        {reason.field !== undefined && <bdi>{reason.field}</bdi>}
      </Text>
    </Row>
  );
}

/** What is above 100 or below 0 does not count, and the list adds up only with that. */
function LimitRow({ name, part: { sum, total } }: { name: Name; part: Part }) {
  return (
    <Row isGood={null} points={total - sum}>
      <Text size="sm">{sum > total ? 'Points above 100 do not count' : 'Points below 0 do not count'}</Text>
      <Text size="xs" c="dimmed">
        limits {name}
      </Text>
    </Row>
  );
}

interface RowProps {
  /** Null for neither. */
  readonly isGood: boolean | null;
  readonly points: number;
  readonly children: ReactNode;
}

/** Sign, icon and words say the same as the colour. */
function Row({ isGood, points, children }: RowProps) {
  const colour = isGood === null ? 'dimmed' : isGood ? 'var(--accepted-text)' : 'var(--rejected-text)';
  return (
    <Group component="li" wrap="nowrap" align="flex-start" gap="sm" py={8} className="field">
      <Group gap={4} w={72} wrap="nowrap" c={colour} mt={1} style={{ flex: 'none' }}>
        <Icon name={isGood === null ? 'gauge' : isGood ? 'check' : 'alert'} size={14} />
        <Text size="sm" fw={620} className="numbers">
          {pointsText(points)}
        </Text>
      </Group>
      <Box miw={0}>{children}</Box>
    </Group>
  );
}
