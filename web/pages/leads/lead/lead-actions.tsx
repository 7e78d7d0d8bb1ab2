import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { api } from '../../../api/client.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { TimeAgo } from '../../../parts/time.tsx';
import { toastDone, toastProblem } from '../../../parts/toast.ts';
import { useIsOwner, useWorkspaceId } from '../../../shell/workspace.ts';

type Mark = 'spam' | 'not_spam' | null;

/** A suspect lead can be marked either way. */
const marksFor: Record<Lead['verdict'], readonly NonNullable<Mark>[]> = {
  clean: ['spam'],
  suspect: ['not_spam', 'spam'],
  spam: ['not_spam'],
};

export function LeadActions({ lead, onErased }: { lead: Lead; onErased: () => void }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const isOwner = useIsOwner();
  const [isAsking, ask] = useDisclosure();
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['leads', workspaceId] });
  const mark = useMutation({
    mutationFn: (value: Mark) =>
      api('PUT', '/workspaces/:workspace_id/leads/:submission_id/mark', {
        params: { workspace_id: workspaceId, submission_id: lead.submission_id },
        body: { mark: value },
      }),
    onSuccess: refresh,
    onError: toastProblem,
  });
  const erase = useMutation({
    mutationFn: () =>
      api('DELETE', '/workspaces/:workspace_id/leads/:submission_id', {
        params: { workspace_id: workspaceId, submission_id: lead.submission_id },
      }),
    async onSuccess() {
      onErased();
      toastDone('Lead erased.');
      await refresh();
    },
  });
  return (
    <Group gap="xs">
      {marksFor[lead.verdict].map((value) => (
        <Button
          key={value}
          size="xs"
          variant="default"
          loading={mark.isPending && mark.variables === value}
          leftSection={<Icon name={value === 'spam' ? 'ban' : 'check'} size={14} />}
          onClick={() => mark.mutate(value)}
        >
          {value === 'spam' ? 'Mark as spam' : 'Mark as not spam'}
        </Button>
      ))}
      {lead.mark !== null && (
        <Button size="xs" variant="subtle" color="gray" onClick={() => mark.mutate(null)}>
          Remove mark
        </Button>
      )}
      {isOwner && (
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<Icon name="trash" size={14} />}
          onClick={ask.open}
        >
          Erase
        </Button>
      )}
      {lead.mark !== null && (
        <Text size="xs" c="dimmed" component="div" w="100%">
          Marked by {lead.mark.by} <TimeAgo time={lead.mark.at} size="xs" />; scored as {lead.scored_verdict}.
        </Text>
      )}
      <Confirm
        opened={isAsking}
        title="Erase this lead?"
        action="Erase permanently"
        mutation={erase}
        onClose={ask.close}
      >
        The lead, its exact bytes, its enrichment and its marks are erased permanently, and exports no longer
        contain it. This cannot be undone.
      </Confirm>
    </Group>
  );
}
