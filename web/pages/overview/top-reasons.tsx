import { Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import type { RangeName } from '../../parts/charts/time-range.ts';
import { Icon } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { useWorkspaceId } from '../../shell/workspace.ts';

const shownMax = 5;

interface TopReasonsProps {
  readonly reasons: Diagnostics['by_reason'];
  readonly range: RangeName;
}

export function TopReasons({ reasons, range }: TopReasonsProps) {
  const workspaceId = useWorkspaceId();
  if (reasons.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No rejections.
      </Text>
    );
  }
  return (
    <Stack gap={10}>
      {reasons.slice(0, shownMax).map(({ reason, category, text, count }) => {
        const isLimit = category === 'rate_limit';
        return (
          <Link
            key={reason}
            to="/w/$workspaceId/tokens/diagnostics"
            params={{ workspaceId }}
            search={{ range, reason, ...(isLimit ? { tab: 'limited' as const } : {}) }}
            className="quiet-link"
          >
            <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
              <Text size="sm">{text}</Text>
              <Group gap={4} wrap="nowrap" c={isLimit ? 'var(--limited-text)' : 'var(--rejected-text)'}>
                <Icon name={isLimit ? 'gauge' : 'ban'} size={13} />
                <Text size="sm" fw={620} className="numbers">
                  {numberText(count)}
                </Text>
              </Group>
            </Group>
          </Link>
        );
      })}
    </Stack>
  );
}
