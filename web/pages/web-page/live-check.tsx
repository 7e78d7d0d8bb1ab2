import { Box, Group, Text, Title } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useReducer } from 'react';
import type { BrowserActivity } from '../../../src/contract/browser/activity.ts';
import { Icon } from '../../parts/icons.tsx';
import { ago } from '../../parts/text/relative-time.ts';

const tickMs = 1_000;

interface LiveCheckProps {
  readonly isEnabled: boolean;
  readonly lastSeen: BrowserActivity['last_seen'];
}

/** Whether the page works: its first request shows up here within seconds. */
export function LiveCheck({ isEnabled, lastSeen }: LiveCheckProps) {
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="check-title">
      <Title order={2} size="h5" mb="xs" id="check-title">
        Live check
      </Title>
      {/* Only what changes in meaning is read out, not each second. */}
      <Group gap="sm" wrap="nowrap" align="flex-start" role="status" aria-live="polite">
        {isEnabled ? lastSeen === null ? <Waiting /> : <Seen lastSeen={lastSeen} /> : <Off />}
      </Group>
    </Box>
  );
}

function Off() {
  return (
    <Text size="sm" c="dimmed">
      Turn it on and save. Then open your page and submit the form.
    </Text>
  );
}

function Waiting() {
  return (
    <>
      <Box className="pulse" mt={6} aria-hidden />
      <Text size="sm">
        Open your page and submit the form. Its first request appears here within a few seconds.
      </Text>
    </>
  );
}

function Seen({ lastSeen: { origin, at } }: { lastSeen: NonNullable<BrowserActivity['last_seen']> }) {
  return (
    <>
      <Text component="span" c="var(--accepted-text)" mt={2}>
        <Icon name="check" size={16} />
      </Text>
      <Text size="sm" component="div">
        Last seen from <b className="wrap">{origin}</b> <Since time={at} />
      </Text>
    </>
  );
}

/** To the second: people wait for it. */
function Since({ time }: { time: string }) {
  const refresh = useReducer((count: number) => count + 1, 0)[1];
  useInterval(refresh, tickMs, { autoInvoke: true });
  return (
    <time dateTime={time} aria-live="off" style={{ whiteSpace: 'nowrap' }}>
      {ago(time, Date.now())}
    </time>
  );
}
