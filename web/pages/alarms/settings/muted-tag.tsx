import { Button, Group } from '@mantine/core';
import { Tag } from '../../../parts/tag.tsx';
import { exactTime } from '../../../parts/time.tsx';
import { type AlarmRule, isMuted } from '../alarm-rules.ts';

/** Until when nobody is told, if so. */
export function MutedTag({ rule, onUnmute }: { rule: AlarmRule; onUnmute: () => void }) {
  if (rule.muted_until === null || !isMuted(rule)) return null;
  return (
    <Group gap={4} mt={4}>
      <Tag tone="quiet" icon="mute">
        Muted until {exactTime(rule.muted_until)}
      </Tag>
      <Button size="compact-xs" variant="subtle" onClick={onUnmute}>
        Unmute
      </Button>
    </Group>
  );
}
