import { Button, Group, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useReducer, useSyncExternalStore } from 'react';
import { type ConnectionState, connection, type Outage } from '../api/connection.ts';
import { Icon } from '../parts/icons.tsx';

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });
const sentences: Record<Outage, string> = {
  offline: 'Leadgate is not responding.',
  unavailable: 'Leadgate cannot reach its database. Leads are still accepted.',
};

export function useConnection(): ConnectionState {
  return useSyncExternalStore(connection.subscribe, connection.current);
}

/** Says that the service does not respond and how old the page is. Everything else stays as it is. */
export function ConnectionBar() {
  const { outage, heardAt, retryAt } = useConnection();
  return (
    // Always there, because screen readers only announce what changes in it.
    <div className="connection-bar" data-shown={outage !== null || undefined}>
      <Group gap="xs" align="center">
        <Group gap="xs" wrap="nowrap" flex="1 1 260px" role="status">
          {outage !== null && (
            <>
              <Icon name="alert" size={17} />
              <Text size="sm">
                <b>{navigator.onLine ? sentences[outage] : 'You are offline.'}</b> What you see is from{' '}
                {clockTime.format(heardAt)}.
              </Text>
            </>
          )}
        </Group>
        {outage !== null && (
          <Group gap="xs" wrap="nowrap">
            <Countdown retryAt={retryAt} />
            <Button size="compact-sm" variant="default" onClick={() => void connection.check()}>
              Try now
            </Button>
          </Group>
        )}
      </Group>
    </div>
  );
}

function Countdown({ retryAt }: { retryAt: number | null }) {
  const tick = useReducer((count: number) => count + 1, 0)[1];
  useInterval(tick, 500, { autoInvoke: true });
  const seconds = retryAt === null ? 0 : Math.max(0, Math.ceil((retryAt - Date.now()) / 1_000));
  return (
    <Text size="sm" c="dimmed" className="numbers">
      {seconds === 0 ? 'Retrying…' : `Retrying in ${seconds} s…`}
    </Text>
  );
}
