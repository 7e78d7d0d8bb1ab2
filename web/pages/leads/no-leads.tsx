import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { newestLeadsQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query-client.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { Empty } from '../../parts/states.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';

/** Waits for the first lead, and then becomes the list. */
export function NoLeads() {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const newest = useQuery(newestLeadsQuery(workspaceId));
  const isThere = (newest.data?.items.length ?? 0) > 0;
  useEffect(() => {
    if (isThere) void queryClient.invalidateQueries({ queryKey: ['leads', workspaceId, 'list'] });
  }, [isThere, workspaceId]);
  return (
    <Empty
      icon="leads"
      title="No leads yet"
      text="Each accepted submission becomes a lead and appears here with its score."
    >
      <Group gap={8} role="status">
        <span className="pulse" />
        <Text size="sm">Waiting for the first lead…</Text>
      </Group>
      {isOwner && (
        <ButtonLink to="/w/$workspaceId" params={{ workspaceId }} variant="default">
          Send your first lead
        </ButtonLink>
      )}
    </Empty>
  );
}
