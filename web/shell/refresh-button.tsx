import { ActionIcon, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connection } from '../api/connection.ts';
import { Icon } from '../parts/icons.tsx';
import { useKeys } from '../parts/keys/use-keys.ts';
import { useConnection } from './connection-bar.tsx';

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Fetches everything on the page again; `R` does the same. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const [isRefreshing, setRefreshing] = useState(false);
  const { outage } = useConnection();
  const refresh = async () => {
    // Nothing is fetched during an outage, and everything after it.
    if (outage !== null) return void connection.check();
    if (isRefreshing) return;
    setRefreshing(true);
    await queryClient.refetchQueries({ type: 'active' }, { cancelRefetch: false });
    setRefreshing(false);
  };
  useKeys({ r: { label: 'Refresh', press: () => void refresh() } });
  return (
    <Tooltip label={<Label />} position="left">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label="Refresh"
        aria-keyshortcuts="R"
        aria-busy={isRefreshing && outage === null}
        onClick={() => void refresh()}
        className="refresh"
      >
        <Icon name="refresh" size={17} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The time as of when the tooltip opens. */
function Label() {
  const active = useQueryClient().getQueryCache().findAll({ type: 'active' });
  const updatedAt = Math.max(0, ...active.map((query) => query.state.dataUpdatedAt));
  return `Refresh (R). Updated at ${clockTime.format(updatedAt)}.`;
}
