import { Anchor, Box, Group, Text } from '@mantine/core';
import type { HealthStatement } from '../../../../src/contract/operator/health.ts';
import type { IconName } from '../../../parts/icons.tsx';
import { Tag, type Tone } from '../../../parts/tag.tsx';

const looks = {
  problem: { tone: 'bad', icon: 'ban', word: 'Problem' },
  warning: { tone: 'warning', icon: 'alert', word: 'Warning' },
  ok: { tone: 'good', icon: 'check', word: 'OK' },
} as const satisfies Record<HealthStatement['state'], { tone: Tone; icon: IconName; word: string }>;

export function Statement({ statement }: { statement: HealthStatement }) {
  const { state, text, advice, docs } = statement;
  const { tone, icon, word } = looks[state];
  return (
    <Group component="li" className="field" py={8} gap="sm" align="flex-start" wrap="nowrap">
      <Box miw={84}>
        <Tag tone={tone} icon={icon}>
          {word}
        </Tag>
      </Box>
      <Box miw={0}>
        <Text size="sm" fw={state === 'ok' ? undefined : 600} className="wrap">
          {text}
        </Text>
        {advice && (
          <Text size="sm" c="dimmed" className="wrap">
            {advice}{' '}
            {docs && (
              <Anchor href={docs} inherit>
                Documentation
              </Anchor>
            )}
          </Text>
        )}
      </Box>
    </Group>
  );
}
