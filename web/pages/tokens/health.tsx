import { Text } from '@mantine/core';
import type { Token } from '../../../src/contract/tokens.ts';
import type { IconName } from '../../parts/icons.tsx';
import { Tag, type Tone } from '../../parts/tag.tsx';

/** Never by colour alone. The service decides which one applies. */
const words: Record<Token['health'], readonly [string, Tone, IconName]> = {
  revoked: ['Revoked', 'quiet', 'ban'],
  expired: ['Expired', 'quiet', 'clock'],
  expires_soon: ['Expires soon', 'warning', 'clock'],
  rate_limited: ['Rate limited', 'warning', 'gauge'],
  elevated_rejections: ['Elevated rejections', 'bad', 'alert'],
  idle: ['Idle', 'quiet', 'pause'],
  healthy: ['Healthy', 'good', 'check'],
};

export function HealthTag({ token }: { token: Token }) {
  const [word, tone, icon] = words[token.health];
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  );
}

/** What to do about it. */
export function Advice({ token }: { token: Token }) {
  if (token.health === 'healthy') return null;
  return (
    <Text size="xs" c="dimmed" mt={4} className="wrap">
      {token.advice}
    </Text>
  );
}
