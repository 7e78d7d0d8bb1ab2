import { ActionIcon, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { connection } from '../api/connection.ts';
import { Icon } from '../parts/icons.tsx';

const clockTime = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** Fetches everything on the page again; `R` does the same. */
export function RefreshButton() {
  const queryClient = useQueryClient();
  const [isRefreshing, setRefreshing] = useState(false);
  const refresh = async () => {
    if (isRefreshing) return;
    setRefreshing(true);
    // Nothing is fetched during an outage, and everything after it.
    if (connection.current().outage !== null) await connection.check();
    else await queryClient.refetchQueries({ type: 'active' }, { cancelRefetch: false });
    setRefreshing(false);
  };
  useHotkeys([['r', () => void refresh()]]);
  return (
    <Tooltip label={<Label />}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={34}
        aria-label="Refresh"
        aria-keyshortcuts="R"
        aria-busy={isRefreshing}
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
